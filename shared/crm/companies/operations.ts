import { requireRecord } from '../../db/reference.ts';
import type { Fact } from '../../kernel/fact.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import { requireMember } from '../../platform/access/members.ts';
import {
  foreignReferences,
  lockReferring,
  type Reference,
  relinkReferring,
} from '../../platform/references.ts';
import { relinkActivities } from '../activities/links.ts';
import { relinkContacts } from '../contacts/links.ts';
import { customFieldsAfter } from '../custom-fields/queries.ts';
import { lockDealsOf, relinkDeals } from '../deals/links.ts';
import { refuseInUse } from '../in-use.ts';
import { relinkBranches } from './branches.ts';
import { refuseCycle } from './parents.ts';
import { lockCompany } from './queries.ts';
import { type Company, type CompanyInput, CompanyModel, type CompanyPatch, companyFacts } from './record.ts';
import { changedCompany, columnsOfCompany, newCompany, searchedThroughDeals } from './shape.ts';

/** Makes a company. Errors: `validation_failed`, `unknown_reference`, `already_exists` for a number or ID in use. */
export async function createCompany(work: Work, input: CompanyInput): Promise<Company> {
  const [custom_fields] = await Promise.all([
    customFieldsAfter(work, 'company', {}, input.custom_fields),
    requireReferences(work, input),
  ]);
  const company = newCompany(work, input, custom_fields);
  work.insert(CompanyModel, columnsOfCompany(company));
  work.record(companyFacts.created, { before: null, after: company });
  return company;
}

/** Changes the fields sent. Errors: `not_found`, `precondition_failed`, `cycle`, those of making one. */
export async function updateCompany(work: Work, id: string, patch: CompanyPatch): Promise<Company> {
  // Deals copy the name of their company, and are locked before it.
  const isRenamed = patch.name !== undefined || patch.name_kana !== undefined;
  if (isRenamed) await lockDealsOf(work, { company_ids: [id] });
  const { company: before } = await lockCompany(work, id);
  const [custom_fields] = await Promise.all([
    customFieldsAfter(work, 'company', before.custom_fields, patch.custom_fields),
    requireReferences(work, patch),
  ]);
  work.precondition(before);
  if (patch.parent_id) await refuseCycle(work, id, patch.parent_id);
  const metadata = metadataAfter(before.metadata, patch.metadata);
  return writeCompany(work, before, { ...before, ...patch, custom_fields, metadata });
}

/**
 * Writes what a change made of a locked company and says so; a change that changes nothing leaves no trace, unless
 * the fact is always told. The searched text of its deals follows its name: each deal costs an entry in every index of its
 * table, so only those are written whose text is another one.
 */
export function writeCompany(
  work: Work,
  before: Company,
  changed: Company,
  fact: Fact = companyFacts.updated,
): Company {
  if (!fact.always && work.isSame(fact, before, changed)) return before;
  const after = changedCompany(work, before, changed);
  const { id, created_at, ...columns } = columnsOfCompany(after);
  work.update(CompanyModel, before.id, columns);
  if (after.name !== before.name || after.name_kana !== before.name_kana) {
    const { company_search_text, company_search_grams } = searchedThroughDeals(after);
    work.run(
      `UPDATE crm_deals SET company_search_text = $3, company_search_grams = $4
        WHERE organization_id = $1 AND company_id = $2 AND company_search_text <> $3`,
      [work.organization_id, before.id, company_search_text, company_search_grams],
    );
  }
  work.record(fact, { before, after });
  return after;
}

/**
 * Removes a company; contacts, deals and activities stay and lose the link. Errors: `not_found`,
 * `precondition_failed`, `in_use` for one with documents.
 */
export async function deleteCompany(work: Work, id: string, references: readonly Reference[]): Promise<void> {
  const cleared = foreignReferences(references, 'crm_companies', 'cleared');
  await lockDealsOf(work, { company_ids: [id] });
  await lockReferring(work, cleared, id);
  const { company: before } = await lockCompany(work, id, 'removal');
  work.precondition(before);
  await refuseInUse(work, references, 'crm_companies', id);
  await relinkContacts(work, id, null);
  await relinkActivities(work, 'company_id', id, null);
  await relinkBranches(work, id, null);
  await relinkDeals(work, id, null, searchedThroughDeals(null));
  await relinkReferring(work, cleared, id, null);
  work.remove(CompanyModel, id);
  work.record(companyFacts.deleted, { before, after: null });
}

async function requireReferences(
  work: Work,
  input: { parent_id?: string | null; owner_id?: string | null },
): Promise<void> {
  await Promise.all([
    requireRecord(work, CompanyModel, input.parent_id, '/parent_id'),
    requireMember(work, input.owner_id, '/owner_id'),
  ]);
}
