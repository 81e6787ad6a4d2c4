import type { Work } from '../../../kernel/work.ts';
import { assertLocked } from '../../../platform/imports/overtaken.ts';
import { normalise } from '../../../platform/search/normalise.ts';
import { type ContactRow, contactColumns, contactOf } from '../../contacts/queries.ts';
import {
  type Contact,
  type ContactInput,
  ContactModel,
  contactFacts,
  contactKind,
} from '../../contacts/record.ts';
import { changedContact, columnsOfContact, newContact } from '../../contacts/shape.ts';
import { tagsOf } from '../../tags/queries.ts';
import { type Aliases, aliasesIn } from '../aliases.ts';
import { companiesIn } from '../company-references.ts';
import { contactIdsBy } from '../contact-ids.ts';
import { customKey } from '../custom-columns.ts';
import { customValuesIn } from '../custom-values.ts';
import { metadataOf } from '../metadata.ts';
import { ownersIn } from '../owners.ts';
import type { Records, Tracked } from '../records.ts';
import {
  ambiguous,
  type Fault,
  type GoodRow,
  isFault,
  missing,
  ownValues,
  taken,
  textsIn,
  type Values,
} from '../row.ts';
import { tagsIn } from '../tags.ts';

export type ContactMatch = { match_by: 'external_id' | 'email'; create_missing: boolean };

type TrackedContact = Tracked & { contact: Contact; first: Contact | null };

/** What a row says, references resolved; its company is made when nothing is wrong. */
type Said = { patch: Partial<ContactInput>; company: (() => string) | null };

/** The fields that a column writes as it stands. */
const PLAIN = [
  'external_id',
  'last_name',
  'first_name',
  'last_name_kana',
  'first_name_kana',
  'email',
  'phone',
  'position',
  'note',
];

/** The contacts that rows are about; what they refer to is held until the work commits. */
export async function contactsIn(
  work: Work,
  rows: readonly GoodRow[],
  { match_by, create_missing }: ContactMatch,
): Promise<Records<TrackedContact>> {
  // Tags before records, as in the removal of a tag.
  const tags = await tagsIn(work, 'contact', rows);
  const { known, aliases } = await lockContacts(work, rows, match_by);
  const companies = await companiesIn(work, rows, create_missing);
  const owners = await ownersIn(work, rows);
  const customValues = await customValuesIn(work, 'contact', rows);
  const byId = new Map<string, TrackedContact>();
  const byExternalId = new Map<string, TrackedContact>();
  const byEmail = new Map<string, TrackedContact[]>();
  /** Those whose rows are not written yet; a new one is that until then. */
  const made: TrackedContact[] = [];
  const changed = new Set<TrackedContact>();
  for (const contact of known) remember(track(contact, contact));

  function track(contact: Contact, first: Contact | null): TrackedContact {
    return { id: contact.id, updated_at: contact.updated_at, contact, first };
  }

  function remember(record: TrackedContact): void {
    const { id, external_id, email } = record.contact;
    byId.set(id, record);
    if (external_id !== null) byExternalId.set(external_id, record);
    if (email === null) return;
    const key = email.toLowerCase();
    byEmail.set(key, [...(byEmail.get(key) ?? []), record]);
  }

  /** The contact that has an external ID, or that a merged one left it to. */
  function holderOf(external_id: unknown): TrackedContact | undefined {
    return (
      byExternalId.get(external_id as string) ?? byId.get(aliases.find('external_id', external_id) ?? '')
    );
  }

  function read(said: Values, before: Contact | null): Said | Fault[] {
    const faults: Fault[] = [];
    const named = withNames(said);
    if (isFault(named)) faults.push(named);
    const values = isFault(named) ? said : named;
    if (before === null && !isFault(named)) {
      const absent = ['last_name', 'first_name'].filter((name) => values[name] === undefined);
      faults.push(...absent.map(missing));
    }
    const patch: Partial<ContactInput> = ownValues(values, PLAIN);
    const holder = patch.external_id ? holderOf(patch.external_id) : undefined;
    if (holder && holder.id !== before?.id) faults.push(taken('external_id', patch.external_id));
    const owner_id = owners(values, before?.owner_id ?? null);
    if (isFault(owner_id)) faults.push(owner_id);
    else if (owner_id !== undefined) patch.owner_id = owner_id;
    const company = companies.named(values);
    if (isFault(company)) faults.push(company);
    const custom_fields = customValues(before?.custom_fields ?? {}, values);
    if (Array.isArray(custom_fields)) faults.push(...custom_fields);
    else patch.custom_fields = custom_fields;
    const metadata = metadataOf(before?.metadata ?? {}, values);
    if (isFault(metadata)) faults.push(metadata);
    else patch.metadata = metadata;
    if (faults.length > 0) return faults;
    if (typeof company === 'string') patch.company_id = company;
    return { patch, company: typeof company === 'function' ? company : null };
  }

  /** With the company that was still to be made. */
  function whole({ patch, company }: Said): Partial<ContactInput> {
    return company === null ? patch : { ...patch, company_id: company() };
  }

  return {
    match(values) {
      const named = byId.get(values['id'] as string);
      if (named) return named;
      const key = values[match_by] as string | undefined;
      if (key === undefined) return null;
      if (match_by === 'external_id') return holderOf(key) ?? null;
      const found = byEmail.get(key.toLowerCase()) ?? [];
      return found.length > 1 ? ambiguous('email', key) : (found[0] ?? null);
    },
    isByAlias: (record, values) =>
      match_by === 'external_id' &&
      record.id !== values['id'] &&
      record.id === aliases.find('external_id', values['external_id']),
    key(values) {
      const key = values[match_by] as string | undefined;
      return key === undefined ? null : match_by === 'email' ? key.toLowerCase() : key;
    },
    name: (values) => personNamed(values),
    found: () => [...byId.values()],
    faults(record, values) {
      const said = read(values, record?.contact ?? null);
      return Array.isArray(said) ? said : [];
    },
    leans_on: { first_name: ['full_name'], full_name: ['first_name'] },
    create(values) {
      const said = read(values, null);
      if (Array.isArray(said)) return said;
      const input = whole(said) as ContactInput;
      const contact = newContact(work, input, input.custom_fields as Contact['custom_fields']);
      const tagged = { ...contact, tags: tags.assign(contact.id, [], values) };
      work.record(contactFacts.created, { before: null, after: tagged });
      const record = track(tagged, null);
      made.push(record);
      remember(record);
      return record;
    },
    change(record, values) {
      const before = record.contact;
      const said = read(values, before);
      if (Array.isArray(said)) return said;
      const patch = whole(said);
      const after = { ...before, ...patch, tags: tags.assign(record.id, before.tags, values) } as Contact;
      const isSame = work.isSame(contactFacts.updated, before, after);
      if (!isSame) {
        record.contact = changedContact(work, before, after);
        record.updated_at = record.contact.updated_at;
        work.record(contactFacts.updated, { before, after: record.contact });
        changed.add(record);
        if (before.external_id !== null) byExternalId.delete(before.external_id);
        if (after.external_id !== null) byExternalId.set(after.external_id, record);
      }
      return !isSame;
    },
    isBlank({ contact }, target) {
      const key = customKey(target);
      if (key !== null) return contact.custom_fields[key] === undefined;
      if (target === 'tags') return contact.tags.length === 0;
      if (target === 'metadata') return Object.keys(contact.metadata).length === 0;
      return contact[target as keyof Contact] === null;
    },
    kept: ({ contact }) => keptOfContact(contact),
    made: () => [...companies.made(), ...tags.made().map((id) => ({ id, updated_at: null }))],
    write() {
      companies.write();
      const old = [...changed].filter(({ first }) => first !== null);
      const fresh = made.splice(0);
      releaseKeys(work, old);
      work.insertAll(
        ContactModel,
        fresh.map(({ contact }) => columnsOfContact(contact)),
      );
      work.updateAll(ContactModel, old.map(columnsToChange));
      for (const record of [...fresh, ...old]) record.first = record.contact;
      changed.clear();
      tags.write();
    },
  };
}

/** Names that stand in one cell count where they do not stand in cells of their own. */
function withNames(values: Values): Values | Fault {
  const whole = values['full_name'] as Values | undefined;
  if (whole === undefined) return values;
  const last_name = values['last_name'] ?? whole['last_name'];
  const first_name = values['first_name'] ?? whole['first_name'];
  if (last_name !== undefined && first_name !== undefined) return { ...values, last_name, first_name };
  const message = {
    en: 'full_name must have a space between the names, as 山田 太郎',
    ja: '姓と名の間に空白を入れてください（例：山田 太郎）',
  };
  return { field: 'full_name', code: 'invalid_format', message };
}

/** The name of the person that a row says, without regard to spaces, case and width. */
function personNamed(values: Values): string | null {
  const said = withNames(values);
  if (isFault(said)) return null;
  const names = [said['last_name'], said['first_name']].filter((name) => name !== undefined);
  return names.length === 0 ? null : normalise(names.join(' ')).replaceAll(' ', '');
}

/** The fields that a revert gives back. */
export function keptOfContact({ id, object, full_name, tags, created_at, updated_at, ...fields }: Contact) {
  return { ...fields, tags: tags.map((tag) => tag.id) };
}

function columnsToChange({ contact }: TrackedContact) {
  const { created_at, ...columns } = columnsOfContact(contact);
  return columns;
}

/** An external ID that one record gives up another may have taken: both at once would meet in the index. */
function releaseKeys(work: Work, changed: readonly TrackedContact[]): void {
  const released = changed.filter(
    ({ first, contact }) => first!.external_id !== null && first!.external_id !== contact.external_id,
  );
  if (released.length === 0) return;
  work.run('UPDATE crm_contacts SET external_id = NULL WHERE organization_id = $1 AND id = ANY ($2)', [
    work.organization_id,
    released.map(({ id }) => id),
  ]);
}

async function lockContacts(
  work: Work,
  rows: readonly GoodRow[],
  match_by: string,
): Promise<{ known: Contact[]; aliases: Aliases }> {
  const external_ids = textsIn(rows, 'external_id');
  const emails = match_by === 'email' ? textsIn(rows, 'email').map((email) => email.toLowerCase()) : [];
  const named = await contactIdsBy(work, { external_ids, emails, ids: textsIn(rows, 'id') });
  // After the contacts: one that is merged in between was found, and is missed when it is locked.
  const aliases = await aliasesIn(work, contactKind, { external_id: external_ids });
  const ids = [...new Set([...named, ...aliases.ids])];
  if (ids.length === 0) return { known: [], aliases };
  const found = await work.connection.query<ContactRow>(
    `SELECT ${contactColumns.join(', ')} FROM crm_contacts
      WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, ids],
    { prepared: false },
  );
  assertLocked(ids, found);
  const tags = await tagsOf(work, 'contact', ids);
  return { known: found.map((row) => contactOf(row, tags(row.id))), aliases };
}
