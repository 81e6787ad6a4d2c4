import { recordsByAlias } from '../../db/key-aliases.ts';
import type { Work } from '../../kernel/work.ts';
import { assertLocked } from '../../platform/imports/overtaken.ts';
import { companyNameForm, companyNameKey } from '../names.ts';
import { companyKind } from './record.ts';

/** The columns by which files name a company, the one that counts first before the others. */
export const companyColumns = [
  'company_id',
  'company_external_id',
  'corporate_number',
  'company_name',
] as const;

export type CompanyColumn = (typeof companyColumns)[number];

/** What the cells of these columns say; blank ones say nothing. */
export type CompanyCells = Partial<Record<CompanyColumn, string>>;

/** The company that cells name, what is wrong with them, or null where they name none. */
export type CompanyOfCells =
  | { company_id: string }
  | { column: CompanyColumn; fault: 'unknown_reference' | 'ambiguous' }
  | null;

type Named = { id: string; name: string; external_id: string | null; corporate_number: string | null };

const FIND = `
  SELECT id FROM crm_companies WHERE organization_id = $1 AND id = ANY ($2)
   UNION SELECT id FROM crm_companies WHERE organization_id = $1 AND external_id = ANY ($3)
   UNION SELECT id FROM crm_companies WHERE organization_id = $1 AND corporate_number = ANY ($4)
   UNION SELECT id FROM crm_companies WHERE organization_id = $1 AND name_key = ANY ($5)`;

const HOLD = `
  SELECT id, name, external_id, corporate_number FROM crm_companies
   WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR KEY SHARE`;

/**
 * Finds the companies that rows of a file name: by an ID, which counts where it is known, so that files of another
 * organization go by their other columns; by their own key or their corporate number, also one that led to them before a
 * merge; by their name, where ㈱ is 株式会社, and of several that are called so by the exact one. What is found may
 * change, but not vanish, until the work commits.
 */
export async function companiesInFiles(
  work: Work,
  rows: readonly CompanyCells[],
): Promise<(cells: CompanyCells) => CompanyOfCells> {
  const asked = (column: CompanyColumn) => [...new Set(rows.flatMap((cells) => cells[column] ?? []))];
  const [ids, external_ids, numbers, names] = companyColumns.map(asked) as [
    string[],
    string[],
    string[],
    string[],
  ];
  const { connection, organization_id } = work;
  const found = await connection.query<{ id: string }>(
    FIND,
    [organization_id, ids, external_ids, numbers, [...new Set(names.map(companyNameKey))]],
    { prepared: false },
  );
  // After the companies: one that is merged in between was found, and is missed when it is held.
  const aliases = await recordsByAlias(work, companyKind, {
    external_id: external_ids,
    corporate_number: numbers,
  });
  const wanted = [...new Set([...found.map(({ id }) => id), ...aliases.map(({ record_id }) => record_id)])];
  const held =
    wanted.length === 0
      ? []
      : await connection.query<Named>(HOLD, [organization_id, wanted], { prepared: false });
  assertLocked(wanted, held);
  const known = new Set(wanted);
  const byKey = new Map(aliases.map(({ key, value, record_id }) => [`${key} ${value}`, record_id]));
  for (const { id, external_id, corporate_number } of held) {
    byKey.set(`external_id ${external_id}`, id);
    byKey.set(`corporate_number ${corporate_number}`, id);
  }
  const byForm = Map.groupBy(held, ({ name }) => companyNameForm(name));
  const called = (name: string): string[] => {
    const alike = byForm.get(companyNameForm(name)) ?? [];
    const exact = alike.filter((company) => company.name === name);
    return (exact.length === 1 ? exact : alike).map(({ id }) => id);
  };
  return ({ company_id, company_external_id, corporate_number, company_name }) => {
    if (company_id !== undefined && known.has(company_id)) return { company_id };
    const leadsTo = (column: CompanyColumn, own: string[]): CompanyOfCells => {
      if (own.length === 1) return { company_id: own[0]! };
      return { column, fault: own.length === 0 ? 'unknown_reference' : 'ambiguous' };
    };
    const keyed = (key: string) => [byKey.get(key) ?? []].flat();
    if (company_external_id !== undefined)
      return leadsTo('company_external_id', keyed(`external_id ${company_external_id}`));
    if (corporate_number !== undefined)
      return leadsTo('corporate_number', keyed(`corporate_number ${corporate_number}`));
    if (company_name !== undefined) return leadsTo('company_name', called(company_name));
    return company_id === undefined ? null : { column: 'company_id', fault: 'unknown_reference' };
  };
}
