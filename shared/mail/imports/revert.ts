import { fullName } from '../../kernel/full-name.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import type { Work } from '../../kernel/work.ts';
import type { ImportRun, RevertBatch, RevertCounts } from '../../platform/imports/domain.ts';
import { type KeptOutcome, outcomesAfter } from '../../platform/imports/outcomes.ts';
import { keepConsents } from '../consent-records/keep.ts';
import { leaveUnindexed } from '../contacts/search-index.ts';
import { mailSearchText } from '../contacts/search-text.ts';
import { changeCounts, lockMailLists } from '../lists/counters.ts';
import type { Person } from './decide.ts';
import { lostAnAddress } from './met.ts';
import type { MailImportOptions } from './options.ts';
import { type OwnKeys, releaseKeys, writeKeys } from './own-keys.ts';
import { ALONE, CHANGE } from './statements.ts';

const BATCH = 2_000;

type Run = ImportRun<MailImportOptions>;

/** First what it made, then what it overwrote, then the memberships: the cursor says which, and after which record. */
export async function revertMailImport(work: Work, run: Run, after: string | null): Promise<RevertBatch> {
  await withoutChunks(work);
  const [phase, key = ''] = (after ?? 'made').split(' ');
  if (phase === 'made') return follow('made', 'overwritten', await deleteMade(work, run, key));
  if (phase === 'overwritten') return follow('overwritten', 'joined', await restore(work, run, key));
  return follow('joined', null, await leaveList(work, run, key));
}

/** No chunk of another import runs meanwhile: one that changes nothing of a contact does not lock it, and has met it all the same. */
async function withoutChunks(work: Work): Promise<void> {
  await work.connection.query(ALONE, [work.organization_id]);
}

type Done = { last: string | null; counts: Partial<RevertCounts> };

function follow(phase: string, then: string | null, { last, counts }: Done): RevertBatch {
  const none = { deleted_count: 0, restored_count: 0, removed_membership_count: 0, left_count: 0 };
  return { next: last === null ? then : `${phase} ${last}`, counts: { ...none, ...counts } };
}

/** Where the next batch continues; null when this one was the last. */
function lastOf<Row>(rows: readonly Row[], key: (row: Row) => string): string | null {
  return rows.length < BATCH ? null : key(rows.at(-1)!);
}

const MADE = `
  SELECT id FROM mail_contacts
   WHERE organization_id = $1 AND import_id = $2 AND id > $3 AND id BETWEEN $4 AND $5
   ORDER BY id LIMIT ${BATCH}`;
const HOLD = `
  SELECT FROM mail_contacts WHERE organization_id = $1 AND id = ANY ($2) ORDER BY email_key FOR UPDATE`;

const UNTOUCHED = `
  SELECT contact.id, contact.status = 'active'
         AND contact.updated_at = coalesce(kept.changed_at, contact.created_at)
         AND NOT EXISTS (SELECT FROM import_outcomes AS other WHERE other.organization_id = $1
           AND other.key = contact.id AND other.import_id <> $2)
         AND NOT EXISTS (SELECT FROM mail_list_members AS member WHERE member.organization_id = $1
           AND member.contact_id = contact.id
           AND (member.import_id IS DISTINCT FROM $2 OR member.unsubscribed_at IS NOT NULL))
         AND NOT EXISTS (SELECT FROM mail_campaign_recipients AS recipient WHERE recipient.organization_id = $1
           AND recipient.contact_id = contact.id) AS is_untouched
    FROM mail_contacts AS contact
    LEFT JOIN import_outcomes AS kept ON kept.organization_id = $1 AND kept.import_id = $2
         AND kept.key = contact.id
   WHERE contact.organization_id = $1 AND contact.id = ANY ($3)`;

/**
 * Contacts that nobody has changed, put into another list, imported again or sent a campaign since go; the others stay. What was done
 * with them is read by a statement of its own, which begins when they are held.
 */
async function deleteMade(
  work: Work,
  { import_id, first_id, last_id, options }: Run,
  key: string,
): Promise<Done> {
  if (first_id === null || last_id === null) return { last: null, counts: {} };
  const { connection, organization_id } = work;
  const bounds = [organization_id, import_id, key, first_id, last_id];
  const made = (await connection.query<{ id: string }>(MADE, bounds)).map(({ id }) => id);
  const [, held] = await Promise.all([
    connection.query(HOLD, [organization_id, made]),
    connection.query<{ id: string; is_untouched: boolean }>(UNTOUCHED, [organization_id, import_id, made]),
  ]);
  const ids = held.filter(({ is_untouched }) => is_untouched).map(({ id }) => id);
  const removed_membership_count = options.list_id
    ? await removeMembers(work, options.list_id, import_id, ids)
    : 0;
  work.run('DELETE FROM mail_contacts WHERE organization_id = $1 AND id = ANY ($2)', [organization_id, ids]);
  work.run('DELETE FROM import_outcomes WHERE organization_id = $1 AND key = ANY ($2)', [
    organization_id,
    ids,
  ]);
  const counts = {
    deleted_count: ids.length,
    left_count: held.length - ids.length,
    removed_membership_count,
  };
  return { last: lastOf(made, (id) => id), counts };
}

type Values = Omit<Person, 'keys'> & OwnKeys;

type Present = Values & { id: string; email: string; updated_at: string };

/** Each value that is still the one that the import wrote becomes the one before it. */
async function restore(work: Work, { import_id }: Run, key: string): Promise<Done> {
  const outcomes = await outcomesAfter(work, import_id, key, BATCH);
  const overwritten = new Map(
    outcomes.flatMap((each): [string, NonNullable<KeptOutcome['before']>][] =>
      each.before ? [[each.key, each.before]] : [],
    ),
  );
  const contacts = await work.connection.query<Present>(
    `SELECT id, email, first_name, last_name, attributes, consent, external_id, metadata, updated_at FROM mail_contacts
      WHERE organization_id = $1 AND id = ANY ($2) ORDER BY email_key FOR NO KEY UPDATE`,
    [work.organization_id, [...overwritten.keys()]],
  );
  const restored = await withFreeKeys(
    work,
    import_id,
    contacts.map((contact) => ({ contact, values: valuesBefore(contact, overwritten.get(contact.id)!) })),
  );
  const changed = restored.flatMap(({ contact, values }) =>
    Object.keys(values).length > 0 ? [changedRow(work, contact, values)] : [],
  );
  const whole = restored.filter(
    ({ contact, values }) => Object.keys(values).length === Object.keys(overwritten.get(contact.id)!).length,
  );
  if (changed.length > 0) {
    work.run(CHANGE, [work.organization_id, JSON.stringify(changed)]);
    keepConsents(
      work,
      restored.map(({ contact, values }) => ({ before: contact, after: { ...contact, ...values } })),
    );
    await restoreKeys(work, restored);
    leaveUnindexed(work, { contact_ids: changed.map(({ id }) => id) });
  }
  const counts = { restored_count: changed.length, left_count: contacts.length - whole.length };
  return { last: lastOf(outcomes, (each) => each.key), counts };
}

/** A contact with the values that it is given back. */
type Restored = { contact: Present; values: Partial<Values> };

/**
 * Leaves out the IDs that are somebody else's by now, but for who gives them up here too, or in a later batch: those give
 * them up at once. An ID that two contacts had, one after the other, goes to the first.
 */
async function withFreeKeys(
  work: Work,
  import_id: string,
  restored: readonly Restored[],
): Promise<Restored[]> {
  const wanted = restored.flatMap(({ values }) => values.external_id ?? []);
  if (wanted.length === 0) return [...restored];
  const here = new Set(
    restored.flatMap(({ contact, values }) => (values.external_id === undefined ? [] : [contact.id])),
  );
  const holders = await work.connection.query<{ id: string; external_id: string; gives_it_up: boolean }>(
    `SELECT contact.id, contact.external_id,
            COALESCE(kept.before -> 'external_id' ->> 1 = contact.external_id, false) AS gives_it_up
       FROM mail_contacts AS contact
       LEFT JOIN import_outcomes AS kept ON kept.organization_id = contact.organization_id
            AND kept.import_id = $3 AND kept.key = contact.id
      WHERE contact.organization_id = $1 AND contact.external_id = ANY ($2)
      ORDER BY contact.email_key FOR NO KEY UPDATE OF contact`,
    [work.organization_id, wanted, import_id],
  );
  const others = holders.filter(({ id }) => !here.has(id));
  giveUpEarly(
    work,
    import_id,
    others.flatMap(({ id, gives_it_up }) => (gives_it_up ? [id] : [])),
  );
  const taken = new Set(others.flatMap(({ external_id, gives_it_up }) => (gives_it_up ? [] : [external_id])));
  const claimed = new Map<string, string>();
  for (const { contact, values } of restored) {
    if (values.external_id && !claimed.has(values.external_id)) claimed.set(values.external_id, contact.id);
  }
  const isLeft = ({ contact, values }: Restored) =>
    values.external_id != null &&
    (taken.has(values.external_id) || claimed.get(values.external_id) !== contact.id);
  // Who gets none back keeps theirs, and so holds it against others.
  for (let known = -1; known < taken.size; ) {
    known = taken.size;
    for (const one of restored)
      if (isLeft(one) && one.contact.external_id) taken.add(one.contact.external_id);
  }
  return restored.map((one) => {
    if (!isLeft(one)) return one;
    const { external_id, ...others } = one.values;
    return { contact: one.contact, values: others };
  });
}

/**
 * Takes the IDs that contacts of later batches will give up, and notes that they have none: so their own batch sees what the
 * import has left, and gives back what was there before.
 */
function giveUpEarly(work: Work, import_id: string, ids: readonly string[]): void {
  if (ids.length === 0) return;
  const values = [work.organization_id, ids];
  work.run(
    `UPDATE mail_contacts SET external_id = NULL, updated_at = greatest($3, updated_at + interval '1 millisecond')
      WHERE organization_id = $1 AND id = ANY ($2)`,
    [...values, work.now.toISOString()],
  );
  work.run(
    `UPDATE import_outcomes SET before = jsonb_set(before, '{external_id,1}', 'null')
      WHERE organization_id = $1 AND key = ANY ($2) AND import_id = $3`,
    [...values, import_id],
  );
}

/** Gives contacts their own IDs and metadata back. An ID that somebody takes meanwhile has the batch run again. */
async function restoreKeys(work: Work, restored: readonly Restored[]): Promise<void> {
  const changed = restored.flatMap(({ contact, values }) => {
    if (values.external_id === undefined && values.metadata === undefined) return [];
    const { external_id, metadata } = { ...contact, ...values };
    return [{ id: contact.id, external_id, metadata }];
  });
  releaseKeys(work, { released: changed.map(({ id }) => id) });
  writeKeys(work, { changed });
  try {
    await work.flush();
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'mail_contacts_external_id_once') throw error;
    throw lostAnAddress();
  }
}

function valuesBefore(contact: Present, before: NonNullable<KeptOutcome['before']>): Partial<Values> {
  const own = Object.entries(before).filter(([field, [, written]]) =>
    isSameJson(contact[field as keyof Values], written),
  );
  return Object.fromEntries(own.map(([field, [was]]) => [field, was])) as Partial<Values>;
}

function changedRow(work: Work, contact: Present, values: Partial<Values>) {
  const { first_name, last_name, attributes, consent } = { ...contact, ...values };
  const search_text = mailSearchText({ email: contact.email, first_name, last_name });
  const full_name = fullName({ first_name, last_name }) || null;
  const updated_at = work.touch(contact);
  return { id: contact.id, first_name, last_name, attributes, consent, search_text, full_name, updated_at };
}

/** A membership that the person has ended stays, as the record of it. */
async function leaveList(work: Work, { import_id, options }: Run, key: string): Promise<Done> {
  if (!options.list_id) return { last: null, counts: {} };
  const rows = await work.connection.query<{ contact_id: string }>(
    `SELECT contact_id FROM mail_list_members
      WHERE organization_id = $1 AND list_id = $2 AND contact_id > $3 AND import_id = $4 AND unsubscribed_at IS NULL
      ORDER BY contact_id LIMIT ${BATCH}`,
    [work.organization_id, options.list_id, key, import_id],
  );
  const ids = rows.map(({ contact_id }) => contact_id);
  const removed_membership_count = await removeMembers(work, options.list_id, import_id, ids);
  return { last: lastOf(rows, ({ contact_id }) => contact_id), counts: { removed_membership_count } };
}

/** Takes contacts out of the list that the import put there; answers how many those were. */
async function removeMembers(work: Work, list_id: string, import_id: string, ids: string[]): Promise<number> {
  const contacts = await work.connection.query<{ id: string; is_active: boolean }>(
    `SELECT id, status = 'active' AS is_active FROM mail_contacts
      WHERE organization_id = $1 AND id = ANY ($2) ORDER BY email_key FOR NO KEY UPDATE`,
    [work.organization_id, ids],
  );
  if ((await lockMailLists(work, [list_id])).length === 0) return 0;
  const removed = await work.connection.query<{ contact_id: string }>(
    `DELETE FROM mail_list_members WHERE organization_id = $1 AND list_id = $2 AND import_id = $3
        AND contact_id = ANY ($4) AND unsubscribed_at IS NULL RETURNING contact_id`,
    [work.organization_id, list_id, import_id, ids],
  );
  const active = new Set(contacts.filter(({ is_active }) => is_active).map(({ id }) => id));
  const from_active = removed.filter(({ contact_id }) => active.has(contact_id)).length;
  changeCounts(work, [{ list_id, contacts: -removed.length, active: -from_active }]);
  return removed.length;
}
