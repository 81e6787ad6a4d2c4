import { unknownReference } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { type CountedDeal, type OpenDeals, openDealsAfter, openYen } from '../deal-amount.ts';

const COMPANIES = { tableName: 'crm_companies', jsonAttributes: ['open_amounts'] };

/** What a deal needs to know of its company. */
export type CompanyOfDeal = OpenDeals & { id: string; name: string; name_kana: string | null };

type OwnedDeal = CountedDeal & { company_id: string | null };

/**
 * The companies of those IDs, locked in the order of their IDs until the work commits.
 * Errors: `unknown_reference` at /company_id.
 */
export async function lockCompanies(
  work: Work,
  ids: readonly (string | null | undefined)[],
): Promise<Map<string, CompanyOfDeal>> {
  const wanted = [...new Set(ids.filter((id) => id != null))];
  if (wanted.length === 0) return new Map();
  const rows = await work.connection.query<CompanyOfDeal>(
    `SELECT id, name, name_kana, open_deals, open_amounts FROM crm_companies
      WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, wanted],
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  const lost = wanted.find((id) => !found.has(id));
  if (lost) throw unknownReference('/company_id', lost);
  return found;
}

/** Whether a change of a deal moves the totals of a company. */
export function movesTotals(before: OwnedDeal, after: OwnedDeal): boolean {
  if (before.company_id !== after.company_id) return true;
  if (after.company_id === null || (before.status !== 'open' && after.status !== 'open')) return false;
  return (
    before.status !== after.status || before.amount !== after.amount || before.currency !== after.currency
  );
}

/** Keeps the totals of the locked companies when a deal is made (`before` null), changed, or removed (`after` null). */
export function keepTotals(
  work: Work,
  companies: Map<string, CompanyOfDeal>,
  before: OwnedDeal | null,
  after: OwnedDeal | null,
): void {
  for (const company of companies.values()) {
    const gone = before?.company_id === company.id ? before : null;
    const come = after?.company_id === company.id ? after : null;
    const totals = openDealsAfter(company, gone, come);
    work.update(COMPANIES, company.id, {
      open_deals: totals.open_deals,
      open_amount: openYen(totals),
      open_amounts: totals.open_amounts,
    });
  }
}

/**
 * Counts the open deals of companies anew, after many deals changed at once. The rows of the companies are locked
 * first and counted then, so that a deal written meanwhile is either counted here or adds itself afterwards.
 */
export function recountCompanies(work: Work, company_ids: Iterable<string>): void {
  const ids = [...new Set(company_ids)].sort();
  if (ids.length === 0) return;
  const values = [work.organization_id, ids];
  work.run(
    'SELECT FROM crm_companies WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE',
    values,
  );
  work.run(RECOUNT, values);
}

/** In the form that shared/crm/deal-amount.ts keeps: exact decimal text by currency, without those that come to 0. */
const RECOUNT = `
  UPDATE crm_companies AS company
     SET open_deals = counted.open_deals, open_amount = counted.yen, open_amounts = counted.open_amounts
    FROM (
      SELECT wanted.id,
             coalesce(sum(by_currency.deals), 0) AS open_deals,
             coalesce(sum(by_currency.amount) FILTER (WHERE by_currency.currency = 'JPY'), 0)::bigint AS yen,
             coalesce(
               jsonb_agg(
                 jsonb_build_object('currency', by_currency.currency, 'amount', trim_scale(by_currency.amount)::text)
                 ORDER BY by_currency.currency
               ) FILTER (WHERE by_currency.amount <> 0),
               '[]'
             ) AS open_amounts
        FROM unnest($2::text[]) AS wanted (id)
        LEFT JOIN (
          SELECT company_id, currency, count(*) AS deals, sum(amount) AS amount
            FROM crm_deals
           WHERE organization_id = $1 AND company_id = ANY ($2) AND status = 'open'
           GROUP BY company_id, currency
        ) AS by_currency ON by_currency.company_id = wanted.id
       GROUP BY wanted.id
    ) AS counted
   WHERE company.organization_id = $1 AND company.id = counted.id`;
