import { createCompany } from '../../shared/crm/companies/operations.ts';
import { companyNameForm } from '../../shared/crm/names.ts';
import { assignTag } from '../../shared/crm/tag-assignments/operations.ts';
import { createTag } from '../../shared/crm/tags/operations.ts';
import type { Fact, Resource } from '../../shared/kernel/fact.ts';
import { Failure } from '../../shared/kernel/failure.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { foldCase, normalise } from '../../shared/platform/search/normalise.ts';
import type { ImportOrganization } from './import-organization.ts';

export type Values = Record<string, unknown>;

export type ModelOptions = {
  match_by: string;
  on_conflict: 'update' | 'fill_blank' | 'skip';
  create_missing: boolean;
};

/** What came of a row: an outcome, or its first fault as `column code`. */
export type ModelResult = { outcome: string } | { fault: string };

export type ModelRow = Record<string, unknown> & { id: string; updated_at: string };

/** What the model needs to know of a kind of record. */
export type ModelKind = {
  table: string;
  kind: 'company' | 'contact' | 'deal';
  /** Columns that only one record may have a value in. */
  unique: string[];
  required: string[];
  /** The field of the record that a column writes, where it has another name. */
  targets: Record<string, string>;
  isBlank?(row: ModelRow, target: string): boolean | undefined;
  /** Makes or changes a record as the API does; `row` is null for a new one. */
  write(work: Work, values: Values, row: ModelRow | null, make: boolean): Promise<{ id: string }>;
};

class RowRefused extends Error {
  constructor(column: string, code: string) {
    super(`${column} ${code}`);
  }
}

/** Refuses the row. */
export function refuse(column: string, code: string): never {
  throw new RowRefused(column, code);
}

/**
 * Takes one row by the API's own operations, each question to the database asked when it comes up: what the bulk
 * merge must come to. `seen` are the records that rows before were about, with what the first of them called each.
 */
export async function takeOne(
  organization: ImportOrganization,
  kind: ModelKind,
  values: Values,
  options: ModelOptions,
  seen: Map<string, string | null>,
): Promise<ModelResult> {
  try {
    const { id, outcome } = await organization.act((work) =>
      takeIn(work, kind, values, { ...options, seen }),
    );
    const isRepeated = seen.has(id);
    seen.set(id, seen.get(id) ?? nameOf(kind, values));
    return { outcome: isRepeated ? 'duplicate' : outcome };
  } catch (error) {
    if (error instanceof RowRefused) return { fault: error.message };
    if (!(error instanceof Failure)) throw error;
    const [first] = error.details.errors ?? [];
    if (!first) return { fault: `stage ${error.code}` };
    return { fault: `${columnOf(kind, values, first.path.slice(1).replaceAll('/', '.'))} ${first.code}` };
  }
}

/** The column of the row that writes a field. */
function columnOf({ targets }: ModelKind, values: Values, field: string): string {
  if (field === 'stage_id') return 'stage';
  if (values[field] !== undefined) return field;
  const writes = (name: string) => values[name] !== undefined && targets[name] === field;
  return Object.keys(targets).find(writes) ?? field;
}

type Taking = ModelOptions & { seen: ReadonlyMap<string, string | null> };

/** What a row calls its record, as one name is told from another. */
function nameOf({ kind }: ModelKind, { name, last_name = '', first_name = '' }: Values): string | null {
  if (kind !== 'contact') return name === undefined ? null : companyNameForm(name as string);
  return normalise(`${last_name}${first_name}`) || null;
}

type Told = { fact: Fact; change: { before: Resource | null; after: Resource | null } };

/** The API tells the tags of a row after its record, by changes of their own; an import tells them with the record. */
async function takeIn(work: Work, kind: ModelKind, values: Values, options: Taking) {
  let told: Told[] = [];
  const record = work.record.bind(work);
  work.record = (fact, change) => {
    const { before, after } = change as { before: Tagged | null; after: Tagged | null };
    const isTagged = before?.tags && after?.tags && before.tags.length !== after.tags.length;
    const same = told.filter(
      (one) => one.fact.entity_type === fact.entity_type && one.change.after?.id === after?.id,
    );
    if (!isTagged || same.length === 0) {
      told.push({ fact, change });
      return;
    }
    for (const one of same) one.change = { ...one.change, after };
    told = [...told.filter((one) => !same.includes(one)), ...same];
  };
  const result = await takeRow(work, kind, values, options);
  work.record = record;
  for (const { fact, change } of told) record(fact, change);
  return result;
}

type Tagged = Resource & { tags?: unknown[] };

async function takeRow(work: Work, kind: ModelKind, values: Values, options: Taking) {
  const found = await match(work, kind, values, options);
  if (!found) {
    for (const name of kind.required) if (values[name] === undefined) refuse(name, 'required');
    await refuseTaken(work, kind, values, null);
    const { id } = await kind.write(work, values, null, options.create_missing);
    await work.flush();
    await tagRecord(work, kind, id, values);
    return { id, outcome: 'created' };
  }
  const { id, updated_at } = found;
  const [called, name] = [options.seen.get(id) ?? null, nameOf(kind, values)];
  if (called !== null && name !== null && called !== name) refuse(options.match_by, 'repeated_key');
  if (options.on_conflict === 'skip') return { id, outcome: 'skipped' };
  const said = options.on_conflict === 'fill_blank' ? await blanksOf(work, kind, found, values) : values;
  await refuseTaken(work, kind, said, id);
  await kind.write(work, said, found, options.create_missing);
  await work.flush();
  const tagged = await tagRecord(work, kind, id, said);
  const row = await one(work, `SELECT * FROM ${kind.table} WHERE organization_id = $1 AND id = $2`, id);
  return { id, outcome: tagged || row!['updated_at'] !== updated_at ? 'updated' : 'unchanged' };
}

async function match(work: Work, kind: ModelKind, values: Values, { match_by }: ModelOptions) {
  const value = values[match_by] as string | undefined;
  if (value === undefined) return null;
  const [column, key] = match_by === 'email' ? ['email_key', value.toLowerCase()] : [match_by, value];
  const rows = await work.connection.query<ModelRow>(
    `SELECT * FROM ${kind.table} WHERE organization_id = $1 AND ${column} = $2`,
    [work.organization_id, key],
  );
  if (rows.length > 1) refuse(match_by, 'ambiguous');
  return rows[0] ?? null;
}

async function refuseTaken(work: Work, kind: ModelKind, values: Values, id: string | null) {
  for (const column of kind.unique) {
    if (values[column] === undefined) continue;
    const holder = await one(
      work,
      `SELECT id FROM ${kind.table} WHERE organization_id = $1 AND ${column} = $2`,
      values[column],
    );
    if (holder && holder['id'] !== id) refuse(column, 'already_exists');
  }
}

async function blanksOf(work: Work, kind: ModelKind, row: ModelRow, values: Values): Promise<Values> {
  const tagged = await one(
    work,
    `SELECT id FROM crm_tag_assignments WHERE organization_id = $1 AND ${kind.kind}_id = $2`,
    row.id,
  );
  const text = 'SELECT deal_id FROM crm_deal_contacts WHERE organization_id = $1 AND deal_id = $2';
  const linked = await one(work, text, row.id);
  const isBlank = (name: string) => {
    if (name === 'tags') return !tagged;
    const target = kind.targets[name] ?? name;
    if (target === 'contact_ids') return !linked;
    const custom = target.startsWith('custom_fields.') ? target.slice('custom_fields.'.length) : null;
    if (custom !== null) return (row['custom_fields'] as Values)[custom] === undefined;
    return kind.isBlank?.(row, target) ?? row[target] === null;
  };
  return Object.fromEntries(Object.entries(values).filter(([name]) => isBlank(name)));
}

async function tagRecord(work: Work, { kind }: ModelKind, id: string, values: Values): Promise<boolean> {
  const ids: string[] = [];
  for (const name of (values['tags'] ?? []) as string[]) {
    const key = foldCase(name);
    const known = await one(
      work,
      'SELECT id FROM crm_tags WHERE organization_id = $1 AND name_key = $2',
      key,
    );
    ids.push((known?.['id'] as string) ?? createTag(work, { name, color: '#6B7280' }).id);
    await work.flush();
  }
  let tagged = false;
  for (const tag_id of ids) {
    const { isNew } = await assignTag(work, { tag_id, resource_type: kind, resource_id: id });
    await work.flush();
    tagged ||= isNew;
  }
  return tagged;
}

/** The first row, or undefined. */
export async function one(work: Work, text: string, value: unknown): Promise<Values | undefined> {
  const [row] = await work.connection.query(text, [work.organization_id, value]);
  return row as Values | undefined;
}

/** The owner that a row names, as a field of the API's body. */
export async function ownerOf(work: Work, { owner_email }: Values): Promise<Values> {
  if (owner_email === undefined) return {};
  const member = await one(
    work,
    `SELECT user_id FROM members JOIN users ON users.id = user_id
      WHERE organization_id = $1 AND email = $2 AND left_at IS NULL`,
    owner_email,
  );
  return { owner_id: member?.['user_id'] ?? refuse('owner_email', 'unknown_reference') };
}

/** The company that a row names; `make` makes one that is missing, once the row is known to be right. */
export async function companyNamed(
  work: Work,
  { company_external_id, company_name }: Values,
  make: boolean,
): Promise<Values> {
  if (company_external_id !== undefined) {
    const text = 'SELECT id FROM crm_companies WHERE organization_id = $1 AND external_id = $2';
    const found = await one(work, text, company_external_id);
    if (found) return { company_id: found['id'] };
    if (!make || company_name === undefined) refuse('company_external_id', 'unknown_reference');
    const input = { name: company_name as string, external_id: company_external_id as string };
    return made(work, await createCompany(work, input));
  }
  if (company_name === undefined) return {};
  const all = await work.connection.query<{ id: string; name: string }>(
    'SELECT id, name FROM crm_companies WHERE organization_id = $1',
    [work.organization_id],
  );
  const form = companyNameForm(company_name as string);
  const found = all.filter(({ name }) => companyNameForm(name) === form);
  if (found.length > 1) refuse('company_name', 'ambiguous');
  if (found[0]) return { company_id: found[0].id };
  if (!make) refuse('company_name', 'unknown_reference');
  return made(work, await createCompany(work, { name: company_name as string }));
}

async function made(work: Work, { id }: { id: string }): Promise<Values> {
  await work.flush();
  return { company_id: id };
}

/** The custom fields that a row says, as a body says them. */
export function customFieldsOf(values: Values): Values {
  const own = Object.entries(values).flatMap(([name, value]) =>
    value !== undefined && name.startsWith('custom_fields.')
      ? [[name.slice('custom_fields.'.length), value]]
      : [],
  );
  return own.length > 0 ? { custom_fields: Object.fromEntries(own) } : {};
}

/** The values of those columns. */
export function picked(values: Values, ...names: string[]): Values {
  return Object.fromEntries(
    names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
  );
}
