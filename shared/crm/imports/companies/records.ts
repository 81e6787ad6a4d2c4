import type { Work } from '../../../kernel/work.ts';
import { type Company, type CompanyInput, companyFacts } from '../../companies/record.ts';
import { changedCompany, newCompany } from '../../companies/shape.ts';
import { companyNameForm } from '../../names.ts';
import type { PaymentTerms } from '../../payment-terms.ts';
import { customKey } from '../custom-columns.ts';
import { customValuesIn } from '../custom-values.ts';
import { metadataOf } from '../metadata.ts';
import { ownersIn } from '../owners.ts';
import type { Records, Tracked } from '../records.ts';
import { type Fault, type GoodRow, isFault, missing, ownValues, taken, type Values } from '../row.ts';
import { tagsIn } from '../tags.ts';
import { companyFields } from './fields.ts';
import { parentsIn } from './parents.ts';
import { type ChangedCompany, KEYS, type Key, lockCompaniesOf, writeCompanies } from './rows.ts';

type TrackedCompany = Tracked & { company: Company; first: Company | null };

/** The fields that a column writes as it stands. */
const PLAIN = companyFields
  .filter(
    ({ name, target }) =>
      name === target && !['id', 'tags', 'owner_id', 'parent_id', 'metadata'].includes(name),
  )
  .map(({ name }) => name);

const TERMS = ['closing_day', 'months_later', 'pay_day'] as const;

/** The companies that rows are about; what they refer to is held until the work commits. */
export async function companiesOf(
  work: Work,
  rows: readonly GoodRow[],
  match_by: Key,
): Promise<Records<TrackedCompany>> {
  // Tags before records, as in the removal of a tag.
  const tags = await tagsIn(work, 'company', rows);
  const { known, aliases } = await lockCompaniesOf(work, rows, match_by);
  const holders = {
    external_id: new Map<string, TrackedCompany>(),
    corporate_number: new Map<string, TrackedCompany>(),
  };
  /** Those whose rows are not written yet; a new one is that until then. */
  const made: TrackedCompany[] = [];
  const changed = new Set<TrackedCompany>();
  const found = known.map((company) => remember(track(company, company)));
  const byId = new Map(found.map((record) => [record.id, record]));
  const owners = await ownersIn(work, rows);
  const parents = await parentsIn(work, rows, (external_id) => holderOf('external_id', external_id));
  const customValues = await customValuesIn(work, 'company', rows);

  function track(company: Company, first: Company | null): TrackedCompany {
    return { id: company.id, updated_at: company.updated_at, company, first };
  }

  function remember(record: TrackedCompany, before: Company | null = null): TrackedCompany {
    for (const key of KEYS) {
      if (before?.[key]) holders[key].delete(before[key]);
      const value = record.company[key];
      if (value !== null) holders[key].set(value, record);
    }
    return record;
  }

  /** The company that has a key, or that a merged one left it to. */
  function holderOf(key: Key, value: unknown): TrackedCompany | undefined {
    return holders[key].get(value as string) ?? byId.get(aliases.find(key, value) ?? '');
  }

  function read(values: Values, before: Company | null): { patch: Partial<CompanyInput> } | Fault[] {
    const faults: Fault[] = [];
    const patch: Partial<CompanyInput> = ownValues(values, PLAIN);
    if (before === null && values['name'] === undefined) faults.push(missing('name'));
    for (const key of KEYS) {
      const holder = patch[key] ? holderOf(key, patch[key]) : undefined;
      if (holder && holder.id !== before?.id) faults.push(taken(key, patch[key]));
    }
    const owner_id = owners(values, before?.owner_id ?? null);
    if (isFault(owner_id)) faults.push(owner_id);
    else if (owner_id !== undefined) patch.owner_id = owner_id;
    const parent_id = parents.of(values, before?.id ?? null);
    if (isFault(parent_id)) faults.push(parent_id);
    else if (parent_id !== undefined) patch.parent_id = parent_id;
    const terms = termsAfter(before?.payment_terms ?? null, values);
    if (Array.isArray(terms)) faults.push(...terms);
    else if (terms !== null) patch.payment_terms = terms;
    const custom_fields = customValues(before?.custom_fields ?? {}, values);
    if (Array.isArray(custom_fields)) faults.push(...custom_fields);
    else patch.custom_fields = custom_fields;
    const metadata = metadataOf(before?.metadata ?? {}, values);
    if (isFault(metadata)) faults.push(metadata);
    else patch.metadata = metadata;
    return faults.length > 0 ? faults : { patch };
  }

  return {
    match: (values) => byId.get(values['id'] as string) ?? holderOf(match_by, values[match_by]) ?? null,
    isByAlias: (record, values) =>
      record.id !== values['id'] && record.id === aliases.find(match_by, values[match_by]),
    key: (values) => (values[match_by] as string | undefined) ?? null,
    name: ({ name }) => (name === undefined ? null : companyNameForm(name as string)),
    found: () => found,
    faults(record, values) {
      const result = read(values, record?.company ?? null);
      return Array.isArray(result) ? result : [];
    },
    leans_on: {},
    create(values) {
      const result = read(values, null);
      if (Array.isArray(result)) return result;
      const input = result.patch as CompanyInput;
      const company = newCompany(work, input, input.custom_fields as Company['custom_fields']);
      const tagged = { ...company, tags: tags.assign(company.id, [], values) };
      work.record(companyFacts.created, { before: null, after: tagged });
      const record = remember(track(tagged, null));
      parents.set(company.id, company.parent_id);
      made.push(record);
      return record;
    },
    change(record, values) {
      const before = record.company;
      const result = read(values, before);
      if (Array.isArray(result)) return result;
      const labels = tags.assign(record.id, before.tags, values);
      const after = { ...before, ...result.patch, tags: labels } as Company;
      const isSame = work.isSame(companyFacts.updated, before, after);
      if (!isSame) {
        record.company = changedCompany(work, before, after);
        record.updated_at = record.company.updated_at;
        work.record(companyFacts.updated, { before, after: record.company });
        changed.add(remember(record, before));
        parents.set(record.id, after.parent_id);
      }
      return !isSame;
    },
    isBlank({ company }, target) {
      const key = customKey(target);
      if (key !== null) return company.custom_fields[key] === undefined;
      if (target === 'tags') return company.tags.length === 0;
      if (target === 'metadata') return Object.keys(company.metadata).length === 0;
      return company[target as keyof Company] === null;
    },
    kept: ({ company }) => keptOfCompany(company),
    made: () => tags.made().map((id) => ({ id, updated_at: null })),
    write() {
      const old = [...changed].filter(
        (record): record is TrackedCompany & ChangedCompany => record.first !== null,
      );
      const fresh = made.splice(0);
      writeCompanies(
        work,
        fresh.map(({ company }) => company),
        old,
      );
      for (const record of [...fresh, ...old]) record.first = record.company;
      changed.clear();
      tags.write();
    },
  };
}

/** The fields that a revert gives back. */
export function keptOfCompany(company: Company) {
  const {
    id,
    object,
    tags,
    customer_since,
    open_deals,
    open_amount,
    open_amounts,
    warnings,
    created_at,
    updated_at,
    ...fields
  } = company;
  return { ...fields, tags: tags.map((tag) => tag.id) };
}

/** The terms with the parts that a row says, null when it says none. Terms are whole or there are none. */
function termsAfter(before: PaymentTerms | null, values: Values): PaymentTerms | Fault[] | null {
  const said = TERMS.filter((part) => values[`payment_terms.${part}`] !== undefined);
  if (said.length === 0) return null;
  const absent = before === null ? TERMS.filter((part) => !said.includes(part)) : [];
  if (absent.length > 0) return absent.map((part) => missing(`payment_terms.${part}`));
  const parts = TERMS.map((part) => [part, values[`payment_terms.${part}`] ?? before?.[part]]);
  return Object.fromEntries(parts) as PaymentTerms;
}
