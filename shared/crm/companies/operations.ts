import { requireMember } from '../../access/members.ts';
import { requireRecord } from '../../db/reference.ts';
import type { Fact } from '../../kernel/fact.ts';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import { gramsOf } from '../../search/grams.ts';
import { companySearchText, searchText } from '../../search/lines.ts';
import { digitsOf } from '../../search/normalise.ts';
import { relinkActivities } from '../activities/links.ts';
import { relinkContacts } from '../contacts/links.ts';
import { numberWarnings } from '../corporate-number.ts';
import { customFieldsAfter } from '../custom-fields/queries.ts';
import { lockDealsOf, relinkDeals } from '../deals/links.ts';
import { companyNameKey, sortName } from '../names.ts';
import { relinkBranches } from './branches.ts';
import { refuseCycle } from './parents.ts';
import { type CompanyRow, companyOf, lockCompany } from './queries.ts';
import { type Company, type CompanyInput, CompanyModel, type CompanyPatch, companyFacts } from './record.ts';

/** Makes a company. Errors: `validation_failed`, `unknown_reference`, `already_exists` for a number or ID in use. */
export async function createCompany(work: Work, input: CompanyInput): Promise<Company> {
  const [custom_fields] = await Promise.all([
    customFieldsAfter(work, 'company', {}, input.custom_fields),
    requireReferences(work, input),
  ]);
  const created_at = work.now.toISOString();
  const row: CompanyRow = {
    id: newId('comp', work.now),
    name: input.name,
    name_kana: input.name_kana ?? null,
    corporate_number: input.corporate_number ?? null,
    invoice_registration_number: input.invoice_registration_number ?? null,
    domain: input.domain ?? null,
    website: input.website ?? null,
    phone: input.phone ?? null,
    fax: input.fax ?? null,
    email: input.email ?? null,
    postal_code: input.postal_code ?? null,
    prefecture: input.prefecture ?? null,
    city: input.city ?? null,
    address_line: input.address_line ?? null,
    building: input.building ?? null,
    industry: input.industry ?? null,
    employee_count: input.employee_count ?? null,
    capital: input.capital ?? null,
    fiscal_month: input.fiscal_month ?? null,
    payment_terms: input.payment_terms ?? null,
    honorific: input.honorific ?? '御中',
    owner_id: input.owner_id === undefined ? work.actor.user_id : input.owner_id,
    parent_id: input.parent_id ?? null,
    note: input.note ?? null,
    external_id: input.external_id ?? null,
    custom_fields,
    open_deals: 0,
    open_amount: 0,
    open_amounts: [],
    created_at,
    updated_at: created_at,
  };
  const company = companyOf(row, []);
  work.insert(CompanyModel, { ...row, ...derivedColumns(row) });
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
  return writeCompany(work, before, { ...before, ...patch, custom_fields });
}

/**
 * Writes what a change made of a locked company and says so; a change that changes nothing leaves no trace, unless
 * the fact is always told. The searched text of its deals follows its name.
 */
export function writeCompany(
  work: Work,
  before: Company,
  changed: Company,
  fact: Fact = companyFacts.updated,
): Company {
  if (!fact.always && work.isSame(fact, before, changed)) return before;
  const after: Company = {
    ...changed,
    warnings: numberWarnings(changed),
    updated_at: work.touch(before),
  };
  work.update(CompanyModel, before.id, { ...ownColumns(after), ...derivedColumns(after) });
  if (after.name !== before.name || after.name_kana !== before.name_kana) {
    const { company_search_text, company_search_grams } = searchedThroughDeals(after);
    work.run(
      `UPDATE crm_deals SET company_search_text = $3, company_search_grams = $4
        WHERE organization_id = $1 AND company_id = $2`,
      [work.organization_id, before.id, company_search_text, company_search_grams],
    );
  }
  work.record(fact, { before, after });
  return after;
}

/**
 * Removes a company; contacts, deals and activities stay and lose the link. Errors: `not_found`,
 * `precondition_failed`.
 */
export async function deleteCompany(work: Work, id: string): Promise<void> {
  await lockDealsOf(work, { company_ids: [id] });
  const { company: before } = await lockCompany(work, id, 'removal');
  work.precondition(before);
  await relinkContacts(work, id, null);
  await relinkActivities(work, 'company_id', id, null);
  await relinkBranches(work, id, null);
  await relinkDeals(work, id, null, searchedThroughDeals(null));
  work.remove(CompanyModel, id);
  work.record(companyFacts.deleted, { before, after: null });
}

/** What a deal copies of its company to be found by it; without a company it is empty. */
export function searchedThroughDeals(company: { name: string; name_kana: string | null } | null) {
  const company_search_text = company ? searchText([company.name, company.name_kana]) : '';
  return { company_search_text, company_search_grams: gramsOf(company_search_text) };
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

/** The columns that hold the API's fields, without what other writes keep. */
function ownColumns(company: Company): Record<string, unknown> {
  const { id, object, tags, open_deals, open_amount, open_amounts, warnings, created_at, ...columns } =
    company;
  return columns;
}

/** The columns that search, order and the hunt for duplicates are served from. */
function derivedColumns(company: Pick<Company, 'name' | 'name_kana' | 'email' | 'phone'>) {
  const search_text = companySearchText(company);
  return {
    sort_name: sortName(company),
    name_key: companyNameKey(company.name),
    email_key: company.email?.toLowerCase() ?? null,
    phone_digits: digitsOf(company.phone ?? '') || null,
    search_text,
    search_grams: gramsOf(search_text),
  };
}
