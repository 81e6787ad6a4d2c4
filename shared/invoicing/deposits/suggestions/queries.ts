import type { Reader } from '../../../kernel/reader.ts';
import { contextOf } from '../../documents/context.ts';
import { OUTSTANDING } from '../../documents/due.ts';
import { payerSearch } from './payer-name.ts';
import { type Candidate, type Suggestion, suggest } from './suggest.ts';
import { MOST_OPEN, type OpenInvoice, usualFees } from './sums.ts';

/** Companies that are looked at because of their name, of what was paid under it before, and of an amount. */
const MOST = { named: 20, paid_before: 5, owing: 30 } as const;

/** What came in, as it is asked about; the day is today unless said. */
type Asked = { amount: number; payer_name?: string | undefined; received_on?: string | undefined };

/** What money that came in may be for, the likeliest first. */
export async function depositSuggestions(
  reader: Reader,
  { amount, payer_name, received_on }: Asked,
): Promise<Suggestion[]> {
  const [{ today }, named, paid_before, owing] = await Promise.all([
    contextOf(reader),
    payer_name === undefined ? [] : companiesNamed(reader, payer_name),
    payer_name === undefined ? [] : companiesThatPaidAs(reader, payer_name),
    companiesThatOwe(reader, amount),
  ]);
  const ids = [...new Set([...named, ...paid_before, ...owing])];
  const candidates = await candidatesBy(reader, ids, new Set(paid_before));
  return suggest({ amount, payer_name: payer_name ?? null, received_on: received_on ?? today }, candidates);
}

type Ids = { id: string }[];

/** Companies whose searched text has the name, however banks write it: those first whose own names have the least beside it. */
async function companiesNamed(
  { connection, organization_id }: Reader,
  payer_name: string,
): Promise<string[]> {
  const search = payerSearch(payer_name);
  if (!search) return [];
  const rows = await connection.query<Ids[number]>(
    `SELECT id FROM crm_companies
      WHERE organization_id = $1 AND search_grams @> $2::integer[] AND search_text ~ $3
      ORDER BY length(name), id LIMIT ${MOST.named}`,
    [organization_id, search.grams, search.pattern],
    { prepared: false },
  );
  return rows.map(({ id }) => id);
}

/** Companies whose the latest deposits of this very name are. */
async function companiesThatPaidAs(
  { connection, organization_id }: Reader,
  payer_name: string,
): Promise<string[]> {
  const rows = await connection.query<Ids[number]>(
    `SELECT company_id AS id FROM invoicing_deposits
      WHERE organization_id = $1 AND payer_name = $2 AND company_id IS NOT NULL
      ORDER BY id DESC LIMIT ${MOST.paid_before}`,
    [organization_id, payer_name],
  );
  return rows.map(({ id }) => id);
}

/** Companies that owe just this for an invoice, or this and a usual fee. */
async function companiesThatOwe({ connection, organization_id }: Reader, amount: number): Promise<string[]> {
  const rows = await connection.query<Ids[number]>(
    `SELECT company_id AS id FROM invoicing_documents
      WHERE organization_id = $1 AND kind = 'invoice' AND ${OUTSTANDING} AND balance = ANY ($2)
      ORDER BY balance, id LIMIT ${MOST.owing}`,
    [organization_id, [0, ...usualFees].map((fee) => amount + fee)],
    { prepared: false },
  );
  return rows.map(({ id }) => id);
}

type Found = OpenInvoice & { company_id: string; name: string; name_kana: string | null };

const OPEN = `
  SELECT company.id AS company_id, company.name, company.name_kana, open.*
    FROM crm_companies AS company CROSS JOIN LATERAL (
      SELECT id, number, balance, issue_date, due_date FROM invoicing_documents
       WHERE organization_id = $1 AND company_id = company.id AND kind = 'invoice' AND ${OUTSTANDING}
       ORDER BY due_date, id LIMIT ${MOST_OPEN}
    ) AS open
   WHERE company.organization_id = $1 AND company.id = ANY ($2)
   ORDER BY company.id, open.due_date, open.id`;

/** Companies by ID with their open invoices, those due first; one that owes nothing is left out. */
async function candidatesBy(
  { connection, organization_id }: Reader,
  ids: readonly string[],
  paid_before: ReadonlySet<string>,
): Promise<Candidate[]> {
  if (ids.length === 0) return [];
  const rows = await connection.query<Found>(OPEN, [organization_id, ids], { prepared: false });
  return [...Map.groupBy(rows, ({ company_id }) => company_id)].map(([company_id, found]) => {
    const { name, name_kana } = found[0]!;
    return {
      company_id,
      company_name: name,
      names: name_kana === null ? [name] : [name, name_kana],
      paid_before: paid_before.has(company_id),
      invoices: found.map(({ id, number, balance, issue_date, due_date }) => {
        return { id, number, balance, issue_date, due_date };
      }),
    };
  });
}
