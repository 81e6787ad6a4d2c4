import type { Reader } from '../../../kernel/reader.ts';
import { contextOf } from '../../documents/context.ts';
import { OUTSTANDING } from '../../documents/due.ts';
import { payerKey, payerSearch } from './payer-name.ts';
import { type Candidate, type Suggestion, suggest } from './suggest.ts';
import { MOST_OPEN, type OpenInvoice, usualFees } from './sums.ts';

/**
 * At the most: companies that are found by a name, those of them that are looked at, exact names first, companies that paid under it
 * before, and those that owe an amount.
 */
const MOST = { found: 200, named: 20, paid_before: 5, owing: 30 } as const;

/** What came in, as it is asked about; the day is today unless said. */
type Asked = { amount: number; payer_name?: string | undefined; received_on?: string | undefined };

/** What money that came in may be for, the likeliest first. */
export async function depositSuggestions(
  reader: Reader,
  { amount, payer_name, received_on }: Asked,
): Promise<Suggestion[]> {
  const names = payer_name === undefined ? [] : [payer_name];
  const [{ today }, by_name, owing] = await Promise.all([
    contextOf(reader),
    companiesByName(reader, names),
    companiesThatOwe(reader, amount),
  ]);
  const found = payer_name === undefined ? NOBODY : by_name(payer_name);
  const ids = [...new Set([...found.named, ...found.paid_before, ...owing])];
  const open = await companiesWithOpen(reader, ids);
  const candidates = ids.flatMap((id) => open.get(id) ?? []).map(toCandidate(found));
  return suggest({ amount, payer_name: payer_name ?? null, received_on: received_on ?? today }, candidates);
}

/** Whose a deposit may be. */
type Payer = { payer_name: string | null; company_id: string | null };

/**
 * For each of many deposits, the companies that may have paid it: that of which it is said to be, else those of its name. Who
 * only owes the amount is none.
 */
export async function candidatesByPayer(
  reader: Reader,
  deposits: readonly Payer[],
): Promise<(deposit: Payer) => Candidate[]> {
  const unknown = deposits.filter(({ company_id }) => company_id === null);
  const said = deposits.flatMap(({ company_id }) => company_id ?? []);
  const by_name = await companiesByName(reader, [
    ...new Set(unknown.flatMap(({ payer_name }) => payer_name ?? [])),
  ]);
  const payersOf = ({ payer_name, company_id }: Payer) => {
    if (company_id !== null) return { ...NOBODY, ids: [company_id], said: company_id };
    const found = payer_name === null ? NOBODY : by_name(payer_name);
    return { ...found, ids: [...new Set([...found.named, ...found.paid_before])], said: null };
  };
  const open = await companiesWithOpen(reader, [
    ...new Set([...said, ...unknown.flatMap((one) => payersOf(one).ids)]),
  ]);
  return (deposit) => {
    const { ids, ...found } = payersOf(deposit);
    return ids.flatMap((id) => open.get(id) ?? []).map(toCandidate(found));
  };
}

/** Companies by a name: those that have it, and those whose the latest deposits of this very name are. */
type ByName = Named & { paid_before: ReadonlySet<string> };

/** IDs: those whose name it is (`exact`) first. Whether there are more of these, and more that have it as a part of theirs. */
type Named = { named: readonly string[]; exact: ReadonlySet<string>; more_exact: boolean; more: boolean };

const NOBODY: ByName = {
  named: [],
  exact: new Set(),
  more_exact: false,
  more: false,
  paid_before: new Set(),
};

/** Companies whose searched text has a name, however banks write it: those first whose own names have the least beside it. */
const NAMED = `
  SELECT asked.name, found.* FROM jsonb_to_recordset($2::jsonb) AS asked (name text, grams integer[], pattern text)
   CROSS JOIN LATERAL (
     SELECT id, crm_companies.name AS company_name, name_kana FROM crm_companies
      WHERE organization_id = $1 AND search_grams @> asked.grams AND search_text ~ asked.pattern
      ORDER BY length(crm_companies.name), id LIMIT ${MOST.found + 1}) AS found`;

const PAID_BEFORE = `
  SELECT asked.name, found.id FROM unnest($2::text[]) AS asked (name)
   CROSS JOIN LATERAL (
     SELECT company_id AS id FROM invoicing_deposits
      WHERE organization_id = $1 AND payer_name = asked.name AND company_id IS NOT NULL
      ORDER BY invoicing_deposits.id DESC LIMIT ${MOST.paid_before}) AS found`;

/** For each of these names, the companies that it may mean. */
async function companiesByName(
  { connection, organization_id }: Reader,
  names: readonly string[],
): Promise<(name: string) => ByName> {
  if (names.length === 0) return () => NOBODY;
  const searches = names.flatMap((name) => {
    const search = payerSearch(name);
    return search ? [{ name, ...search }] : [];
  });
  const [named, paid_before] = await Promise.all([
    searches.length === 0
      ? []
      : connection.query<NamedRow>(NAMED, [organization_id, JSON.stringify(searches)], { prepared: false }),
    connection.query<Row>(PAID_BEFORE, [organization_id, names], { prepared: false }),
  ]);
  const rows_by_name = Map.groupBy(named, ({ name }) => name);
  const by_name = new Map(names.map((name) => [name, namedOf(name, rows_by_name.get(name) ?? [])]));
  const by_payer = Map.groupBy(paid_before, ({ name }) => name);
  return (name) => ({
    ...(by_name.get(name) ?? NOBODY),
    paid_before: new Set(by_payer.get(name)?.map(({ id }) => id)),
  });
}

type Row = { name: string; id: string };

type NamedRow = Row & { company_name: string; name_kana: string | null };

function namedOf(name: string, rows: readonly NamedRow[]): Named {
  const key = payerKey(name);
  const isExact = ({ company_name, name_kana }: NamedRow) =>
    payerKey(company_name) === key || (name_kana !== null && payerKey(name_kana) === key);
  const { exact = [], part = [] } = Object.groupBy(rows, (row) => (isExact(row) ? 'exact' : 'part'));
  const ids = [...exact, ...part].map(({ id }) => id);
  return {
    named: ids.slice(0, MOST.named),
    exact: new Set(exact.map(({ id }) => id)),
    more_exact: exact.length > MOST.named || rows.length > MOST.found,
    more: rows.length > MOST.named,
  };
}

/** Companies that owe just this for an invoice, or this and a usual fee. */
async function companiesThatOwe({ connection, organization_id }: Reader, amount: number): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
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
       ORDER BY due_date, id LIMIT ${MOST_OPEN + 1}
    ) AS open
   WHERE company.organization_id = $1 AND company.id = ANY ($2)
   ORDER BY company.id, open.due_date, open.id`;

type CompanyWithOpen = Omit<Candidate, 'paid_before' | 'is_said' | 'is_cut'> & { is_cut: boolean };

/** By ID, companies with their open invoices, those due first; one that owes nothing is left out. */
async function companiesWithOpen(
  { connection, organization_id }: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CompanyWithOpen>> {
  if (ids.length === 0) return new Map();
  const rows = await connection.query<Found>(OPEN, [organization_id, ids], { prepared: false });
  const companies = Map.groupBy(rows, ({ company_id }) => company_id);
  return new Map(
    [...companies].map(([company_id, found]) => {
      const { name, name_kana } = found[0]!;
      const names = name_kana === null ? [name] : [name, name_kana];
      const invoices = found.slice(0, MOST_OPEN).map(({ id, number, balance, issue_date, due_date }) => {
        return { id, number, balance, issue_date, due_date };
      });
      const is_cut = found.length > MOST_OPEN;
      return [company_id, { company_id, company_name: name, names, is_cut, invoices }];
    }),
  );
}

function toCandidate({
  paid_before,
  exact,
  more_exact,
  more,
  said = null,
}: ByName & { said?: string | null }) {
  return (company: CompanyWithOpen): Candidate => {
    const is_exact = exact.has(company.company_id);
    return {
      ...company,
      is_exact,
      is_cut: company.is_cut || (is_exact ? more_exact : more),
      paid_before: paid_before.has(company.company_id),
      is_said: company.company_id === said,
    };
  };
}
