import type { Work } from '../../../kernel/work.ts';
import type { Reference } from '../../../platform/references.ts';
import { type CompanyRow, companyColumns, companyOf } from '../../companies/queries.ts';
import { type Company, companyFacts } from '../../companies/record.ts';
import { changedCompany } from '../../companies/shape.ts';
import { lockDealsOf } from '../../deals/links.ts';
import { tagsOf } from '../../tags/queries.ts';
import { customFieldsWith, keptByReferences, ownFields, presentIn, valuesBefore } from '../give-back.ts';
import type { Overwritten } from '../journal.ts';
import { type Made, type Removed, type Reverter, valuesToGiveBack } from '../revert.ts';
import { tagsLeft, takeTags } from '../take-tags.ts';
import { parentLines } from './parents.ts';
import { keptOfCompany } from './records.ts';
import { type ChangedCompany, KEYS, writeCompanies } from './rows.ts';

/** Undoes an import of companies. */
export const companyReverter: Reverter = { restore, remove: removeCompanies };

async function restore(work: Work, overwritten: ReadonlyMap<string, Overwritten>) {
  const renamed = [...overwritten].filter(([, own]) => 'name' in own || 'name_kana' in own);
  if (renamed.length > 0) await lockDealsOf(work, { company_ids: renamed.map(([id]) => id) });
  const companies = await lockCompanies(work, [...overwritten.keys()], 'FOR NO KEY UPDATE');
  const allows = await allowing(work, overwritten);
  const untagged = await takeTags(work, 'company', overwritten);
  const counts = { restored_count: 0, left_count: 0 };
  const changed: ChangedCompany[] = [];
  for (const first of companies) {
    const own = overwritten.get(first.id)!;
    const { values, left } = valuesToGiveBack(keptOfCompany(first), own, (field, value) =>
      allows(first.id, field, value),
    );
    const custom_fields = customFieldsWith(first.custom_fields, values);
    const after = {
      ...first,
      ...ownFields(values),
      custom_fields,
      tags: tagsLeft(first, untagged),
    } as Company;
    if (left > 0) counts.left_count += 1;
    if (Object.keys(values).length > 0 || untagged.has(first.id)) counts.restored_count += 1;
    if (work.isSame(companyFacts.updated, first, after)) continue;
    const company = changedCompany(work, first, after);
    work.record(companyFacts.updated, { before: first, after: company });
    changed.push({ first, company });
  }
  writeCompanies(work, [], changed);
  return counts;
}

/** A key may have been taken since, and a parent may have gone or come to stand below the company. */
async function allowing(work: Work, overwritten: ReadonlyMap<string, Overwritten>) {
  const parents = valuesBefore(overwritten.values(), 'parent_id');
  const lines = parents.length > 0 ? await parentLines(work, parents) : null;
  const taken = new Map<string, Set<string>>();
  for (const key of KEYS) {
    const values = valuesBefore(overwritten.values(), key);
    taken.set(key, await presentIn(work, 'crm_companies', key, values));
  }
  return (id: string, field: string, value: unknown): boolean => {
    if (value === null) return true;
    if (field !== 'parent_id') return !taken.get(field)?.has(value as string);
    const parent_id = value as string;
    if (!lines?.has(parent_id) || lines.isAtOrAbove(id, parent_id)) return false;
    lines.set(id, parent_id);
    return true;
  };
}

/** Removes companies that nobody has changed since, unless contacts, deals, activities, documents or branches came. */
export async function removeCompanies(
  work: Work,
  made: Made,
  references: readonly Reference[],
): Promise<Removed> {
  const companies = await lockCompanies(work, [...made.keys()], 'FOR UPDATE');
  const ids = companies.map(({ id }) => id);
  const referred = await keptByReferences(work, references, 'crm_companies', ids);
  const candidates = companies.filter(
    ({ id, updated_at }) => made.get(id) === updated_at && !referred.has(id),
  );
  const gone = await withoutBranches(work, candidates);
  for (const before of gone) work.record(companyFacts.deleted, { before, after: null });
  work.run('DELETE FROM crm_companies WHERE organization_id = $1 AND id = ANY ($2)', [
    work.organization_id,
    gone.map(({ id }) => id),
  ]);
  return {
    deleted_count: gone.length,
    left_count: companies.length - gone.length,
    held_count: candidates.length - gone.length,
  };
}

/** Those whose branches all go along. */
async function withoutBranches(work: Work, companies: readonly Company[]): Promise<Company[]> {
  const branches = await work.connection.query<{ id: string; parent_id: string }>(
    `SELECT id, parent_id FROM crm_companies WHERE organization_id = $1 AND parent_id = ANY ($2)`,
    [work.organization_id, companies.map(({ id }) => id)],
  );
  const going = new Map(companies.map((company) => [company.id, company]));
  for (let before = -1; before !== going.size; ) {
    before = going.size;
    for (const { id, parent_id } of branches) if (!going.has(id)) going.delete(parent_id);
  }
  return [...going.values()];
}

async function lockCompanies(work: Work, ids: readonly string[], lock: string): Promise<Company[]> {
  if (ids.length === 0) return [];
  const rows = await work.connection.query<CompanyRow>(
    `SELECT ${companyColumns.join(', ')} FROM crm_companies
      WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id ${lock}`,
    [work.organization_id, ids],
  );
  const tags = await tagsOf(work, 'company', ids);
  return rows.map((row) => companyOf(row, tags(row.id)));
}
