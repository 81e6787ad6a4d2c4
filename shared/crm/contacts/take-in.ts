import { oneOf } from '../../db/one-of.ts';
import { Failure, unknownReference } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { createActivity } from '../activities/operations.ts';
import { companiesCalled, companyName } from '../companies/names.ts';
import { createCompany } from '../companies/operations.ts';
import { assignTag } from '../tag-assignments/operations.ts';
import { createContact, updateContact } from './operations.ts';
import { lockContact } from './queries.ts';
import type { Contact, ContactPatch } from './record.ts';

/** What somebody says of themselves; what they left out is undefined. */
export type Introduced = Omit<ContactPatch, 'company_id' | 'owner_id'> & { email: string };

/** How somebody who introduces themselves becomes a contact. */
export type TakingIn = {
  introduced: Introduced;
  company_name: string | null;
  /** What becomes of a contact with that e-mail: nothing, only blank fields filled, or every field that was sent changed. */
  on_match: 'link_only' | 'fill_blank' | 'update';
  /** Tags of a contact that is made or changed; those that are not there any more are passed over. */
  tag_ids: readonly string[];
  /** In charge of a contact that is made. */
  owner_id: string | null;
  /** Whether a company is made where none has the name. */
  create_company: boolean;
  /** What the timeline of the contact notes. */
  note: string;
};

export type TakenIn = { outcome: 'created' | 'linked' | 'updated'; contact: Contact };

/**
 * Finds the oldest contact with an e-mail, or makes one, and notes it. Of many at the same time with one new address the
 * first makes the contact. Nobody proves that an address is theirs: so nothing changes unless `on_match` says so.
 * Errors: those of making and changing contacts, companies and activities. Locks: the tags, the e-mail, the contact, the
 * name of the company.
 */
export async function takeInContact(work: Work, taking: TakingIn): Promise<TakenIn> {
  const { introduced, on_match, note } = taking;
  const tag_ids = await holdTags(work, taking.tag_ids);
  await lockName(work, 'crm_contacts.email', introduced.email.toLowerCase());
  const known = await oldestWithEmail(work, introduced.email);
  const taken = known ? await matched(work, known, taking) : await made(work, taking);
  if (!known || on_match !== 'link_only') await addTags(work, taken, tag_ids);
  const { id: contact_id, company_id } = taken.contact;
  // The activity refers to what was just made.
  await work.flush();
  await createActivity(work, { type: 'note', content: note, contact_id, company_id });
  return taken;
}

/**
 * Notes something in the timeline of a contact that a request names as its `contact_id`. Answers its company. Errors:
 * `unknown_reference` at /contact_id. Locks: the contact.
 */
export async function noteOnContact(
  work: Work,
  contact_id: string,
  note: string,
): Promise<{ company_id: string | null }> {
  const [contact] = await work.connection.query<{ company_id: string | null }>(
    'SELECT company_id FROM crm_contacts WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE',
    [work.organization_id, contact_id],
  );
  if (!contact) throw unknownReference('/contact_id', contact_id);
  const { company_id } = contact;
  await createActivity(work, { type: 'note', content: note, contact_id, company_id });
  return { company_id };
}

async function holdTags({ connection, organization_id }: Work, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await connection.query<{ id: string }>(
    `SELECT id FROM crm_tags WHERE organization_id = $1 AND id = ${oneOf('$2')} ORDER BY id FOR KEY SHARE`,
    [organization_id, ids],
  );
  return rows.map(({ id }) => id);
}

/** Holds a name until the commit: what is made under it meanwhile is seen by the statements after this one. */
async function lockName({ connection, organization_id }: Work, kind: string, name: string): Promise<void> {
  await connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    JSON.stringify([kind, organization_id, name]),
  ]);
}

async function oldestWithEmail(work: Work, email: string): Promise<Contact | null> {
  const [found] = await work.connection.query<{ id: string }>(
    `SELECT id FROM crm_contacts WHERE organization_id = $1 AND email_key = $2
      ORDER BY created_at, id LIMIT 1 FOR NO KEY UPDATE`,
    [work.organization_id, email.toLowerCase()],
  );
  return found ? lockContact(work, found.id) : null;
}

/** Errors: `validation_failed` for somebody who did not say both names. */
async function made(work: Work, taking: TakingIn): Promise<TakenIn> {
  const { introduced, owner_id } = taking;
  const { last_name, first_name } = introduced;
  if (last_name === undefined || first_name === undefined) throw new Failure('validation_failed');
  const company_id = await companyOf(work, taking);
  const named = { ...introduced, last_name, first_name };
  const contact = await createContact(work, { ...named, company_id, owner_id });
  return { outcome: 'created', contact };
}

async function matched(work: Work, known: Contact, taking: TakingIn): Promise<TakenIn> {
  const { introduced, on_match } = taking;
  if (on_match === 'link_only') return { outcome: 'linked', contact: known };
  // The address is the one that found the contact, and stays as it is written there.
  const { email, ...said } = introduced;
  const patch = on_match === 'update' ? { ...said } : blankOnly(known, said);
  const takesCompany = on_match === 'update' || known.company_id === null;
  const company_id = takesCompany ? await companyOf(work, taking) : null;
  if (company_id !== null) patch.company_id = company_id;
  const contact = await updateContact(work, known.id, patch);
  return { outcome: contact.updated_at === known.updated_at ? 'linked' : 'updated', contact };
}

/** What was said of fields that the contact leaves blank. */
function blankOnly(
  known: Contact,
  { custom_fields = {}, ...fields }: Omit<Introduced, 'email'>,
): ContactPatch {
  const blank = Object.entries(fields).filter(([name]) => !known[name as keyof Contact]);
  const values = Object.entries(custom_fields).filter(([key]) => known.custom_fields[key] === undefined);
  return { ...Object.fromEntries(blank), custom_fields: Object.fromEntries(values) };
}

/** The oldest company of that name, or a new one where one is to be made; null for none. Errors: `validation_failed`. */
async function companyOf(
  work: Work,
  { company_name, create_company, owner_id }: TakingIn,
): Promise<string | null> {
  if (company_name === null) return null;
  const { success, data: name } = companyName().safeParse(company_name);
  if (!success) {
    if (create_company) throw new Failure('validation_failed');
    return null;
  }
  if (create_company) await lockName(work, 'crm_companies.name', name);
  const [known] = (await companiesCalled(work, [name])).get(name) ?? [];
  if (known !== undefined || !create_company) return known ?? null;
  const { id } = await createCompany(work, { name, owner_id });
  await work.flush();
  return id;
}

async function addTags(work: Work, taken: TakenIn, tag_ids: readonly string[]): Promise<void> {
  const { contact } = taken;
  for (const tag_id of tag_ids) {
    // Each is a change of the contact, whose row must show the one before.
    await work.flush();
    const resource = { resource_type: 'contact', resource_id: contact.id } as const;
    const { isNew } = await assignTag(work, { tag_id, ...resource });
    if (isNew && taken.outcome === 'linked') taken.outcome = 'updated';
  }
}
