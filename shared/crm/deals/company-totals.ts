import type { Work } from '../../kernel/work.ts';

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
