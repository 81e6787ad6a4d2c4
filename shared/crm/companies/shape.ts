import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import { sentOrNull } from '../../kernel/record-fields.ts';
import type { Row, Work } from '../../kernel/work.ts';
import { gramsOf } from '../../platform/search/grams.ts';
import { companySearchText, searchText } from '../../platform/search/lines.ts';
import { digitsOf } from '../../platform/search/normalise.ts';
import { numberWarnings } from '../corporate-number.ts';
import type { CustomFieldValues } from '../custom-fields/values.ts';
import { companyNameKey, sortName } from '../names.ts';
import { companyOf } from './queries.ts';
import { type Company, type CompanyInput, companyFields } from './record.ts';

/** A company that is about to be made; what was not sent has its default. */
export function newCompany(work: Work, input: CompanyInput, custom_fields: CustomFieldValues): Company {
  const created_at = work.now.toISOString();
  const row = {
    id: newId('comp', work.now),
    ...sentOrNull(input, companyFields),
    name: input.name,
    honorific: input.honorific ?? '御中',
    owner_id: input.owner_id === undefined ? work.actor.user_id : input.owner_id,
    custom_fields,
    metadata: metadataAfter({}, input.metadata),
    customer_since: null,
    open_deals: 0,
    open_amount: 0,
    open_amounts: [],
    created_at,
    updated_at: created_at,
  };
  return companyOf(row, []);
}

/** What a change makes of a company: with what follows from its fields, and the time of the change. */
export function changedCompany(work: Work, before: Company, changed: Company): Company {
  return { ...changed, warnings: numberWarnings(changed), updated_at: work.touch(before) };
}

/** The columns that hold a company, its ID and search included, without what its deals and documents keep. */
export function columnsOfCompany(company: Company): Row {
  const { object, tags, customer_since, open_deals, open_amount, open_amounts, warnings, ...columns } =
    company;
  const search_text = companySearchText(company);
  return {
    ...columns,
    sort_name: sortName(company),
    name_key: companyNameKey(company.name),
    email_key: company.email?.toLowerCase() ?? null,
    phone_digits: digitsOf(company.phone ?? '') || null,
    search_text,
    search_grams: gramsOf(search_text),
  };
}

/** What a deal copies of its company to be found by it; without a company it is empty. */
export function searchedThroughDeals(company: { name: string; name_kana: string | null } | null) {
  const company_search_text = company ? searchText([company.name, company.name_kana]) : '';
  return { company_search_text, company_search_grams: gramsOf(company_search_text) };
}
