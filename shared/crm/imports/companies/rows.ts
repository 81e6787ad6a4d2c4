import type { Work } from '../../../kernel/work.ts';
import { assertLocked } from '../../../platform/imports/overtaken.ts';
import { type CompanyRow, companyColumns, companyOf } from '../../companies/queries.ts';
import { type Company, CompanyModel, companyKind } from '../../companies/record.ts';
import { columnsOfCompany, searchedThroughDeals } from '../../companies/shape.ts';
import { lockDealsOf } from '../../deals/links.ts';
import { tagsOf } from '../../tags/queries.ts';
import { type Aliases, aliasesIn } from '../aliases.ts';
import { type GoodRow, textsIn } from '../row.ts';

/** What tells a company from all others of its organization. */
export const KEYS = ['external_id', 'corporate_number'] as const;

export type Key = (typeof KEYS)[number];

/** A company before and after the rows of a chunk. */
export type ChangedCompany = { first: Company; company: Company };

/**
 * The companies that rows are about or name as parents, locked; before them the deals of those that get another
 * name, which the deals copy.
 */
export async function lockCompaniesOf(
  work: Work,
  rows: readonly GoodRow[],
  match_by: Key,
): Promise<{ known: Company[]; aliases: Aliases }> {
  const external_ids = textsIn(rows, 'external_id', 'parent_external_id');
  const numbers = textsIn(rows, 'corporate_number');
  const by_ids = textsIn(rows, 'id');
  const asked = { external_id: external_ids, corporate_number: numbers };
  const isNamed = by_ids.length + external_ids.length + numbers.length > 0;
  const named = isNamed ? await findCompanies(work, [external_ids, numbers, by_ids]) : [];
  // After the companies: one that is merged in between was found, and is missed when it is locked.
  const aliases = await aliasesIn(work, companyKind, asked);
  const ids = [...new Set([...named.map(({ id }) => id), ...aliases.ids])];
  if (ids.length === 0) return { known: [], aliases };
  const renamed = renamedBy(rows, named, match_by);
  if (renamed.length > 0) await lockDealsOf(work, { company_ids: renamed });
  const found = await work.connection.query<CompanyRow>(
    `SELECT ${companyColumns.join(', ')} FROM crm_companies
      WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, ids],
    { prepared: false },
  );
  assertLocked(ids, found);
  const tags = await tagsOf(work, 'company', ids);
  return { known: found.map((row) => companyOf(row, tags(row.id))), aliases };
}

type Named = Pick<Company, 'id' | 'name' | 'name_kana' | Key>;

function findCompanies(work: Work, keys: readonly string[][]): Promise<Named[]> {
  return work.connection.query<Named>(
    `SELECT id, name, name_kana, external_id, corporate_number FROM crm_companies
      WHERE organization_id = $1 AND external_id = ANY ($2)
     UNION
     SELECT id, name, name_kana, external_id, corporate_number FROM crm_companies
      WHERE organization_id = $1 AND corporate_number = ANY ($3)
     UNION
     SELECT id, name, name_kana, external_id, corporate_number FROM crm_companies
      WHERE organization_id = $1 AND id = ANY ($4)`,
    [work.organization_id, ...keys],
    { prepared: false },
  );
}

function renamedBy(rows: readonly GoodRow[], companies: readonly Named[], match_by: Key): string[] {
  const byKey = Map.groupBy(rows, ({ values }) => values[match_by]);
  const byId = Map.groupBy(rows, ({ values }) => values['id']);
  const renamed = companies.filter((company) =>
    [...(byId.get(company.id) ?? []), ...(byKey.get(company[match_by] ?? Symbol()) ?? [])].some(
      ({ values }) =>
        (['name', 'name_kana'] as const).some(
          (name) => values[name] !== undefined && values[name] !== company[name],
        ),
    ),
  );
  return renamed.map(({ id }) => id);
}

/**
 * Writes companies that were made and changed. A key that one of them gives up another may have taken: both at once
 * would meet in the index, so keys are given up first. New ones come before what may name them as parents. The
 * searched text of deals follows the names.
 */
export function writeCompanies(
  work: Work,
  made: readonly Company[],
  changed: readonly ChangedCompany[],
): void {
  for (const key of KEYS) {
    const released = changed.filter(
      ({ first, company }) => first[key] !== null && first[key] !== company[key],
    );
    if (released.length === 0) continue;
    work.run(`UPDATE crm_companies SET ${key} = NULL WHERE organization_id = $1 AND id = ANY ($2)`, [
      work.organization_id,
      released.map(({ company }) => company.id),
    ]);
  }
  work.insertAll(CompanyModel, made.map(columnsOfCompany));
  work.updateAll(CompanyModel, changed.map(columnsToChange));
  writeSearchOfDeals(work, changed);
}

function columnsToChange({ company }: ChangedCompany) {
  const { created_at, ...columns } = columnsOfCompany(company);
  return columns;
}

function writeSearchOfDeals(work: Work, changed: readonly ChangedCompany[]): void {
  const renamed = changed.filter(
    ({ first, company }) => first.name !== company.name || first.name_kana !== company.name_kana,
  );
  if (renamed.length === 0) return;
  const rows = renamed.map(({ company }) => ({ company_id: company.id, ...searchedThroughDeals(company) }));
  work.run(
    `UPDATE crm_deals AS deal
        SET company_search_text = renamed.company_search_text, company_search_grams = renamed.company_search_grams
       FROM jsonb_populate_recordset(null::crm_deals, $2::jsonb) AS renamed
      WHERE deal.organization_id = $1 AND deal.company_id = renamed.company_id
        AND deal.company_search_text <> renamed.company_search_text`,
    [work.organization_id, JSON.stringify(rows)],
    { planned_anew: true },
  );
}
