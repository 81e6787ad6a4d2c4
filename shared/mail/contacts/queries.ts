import { isFiltered, type ListQuery, pageOf } from '../../db/list.ts';
import { idByKey, type LookUps } from '../../db/look-ups.ts';
import { oneOf } from '../../db/one-of.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { searchTerm } from '../../platform/search/grams.ts';
import { emailKey } from '../email-key.ts';
import { type MailContact, MailContactModel, mailContactKind } from './record.ts';
import { contactCandidates } from './search-index.ts';

export const mailContactColumns = [
  'id',
  'email',
  'first_name',
  'last_name',
  'full_name',
  'status',
  'status_reason',
  'attributes',
  'external_id',
  'metadata',
  'consent',
  'last_sent_at',
  'last_opened_at',
  'last_clicked_at',
  'refused_at',
  'created_at',
  'updated_at',
] as const;

export type MailContactRow = Pick<MailContact, Exclude<(typeof mailContactColumns)[number], 'refused_at'>> & {
  /** When the person refused: it outlives a bounce, and ends when the contact becomes active again. */
  refused_at: string | null;
};

/** What an answer shows of a contact beside its row. */
export type MailContactLinks = Pick<MailContact, 'list_ids' | 'crm_contact_id'>;

/** A row as the API shows it. */
export function mailContactOf(
  row: MailContactRow,
  { list_ids, crm_contact_id }: MailContactLinks,
): MailContact {
  return {
    id: row.id,
    object: 'mail.contact',
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    full_name: row.full_name,
    status: row.status,
    status_reason: row.status_reason,
    list_ids,
    attributes: row.attributes,
    external_id: row.external_id,
    metadata: row.metadata,
    consent: row.consent,
    crm_contact_id,
    last_sent_at: row.last_sent_at,
    last_opened_at: row.last_opened_at,
    last_clicked_at: row.last_clicked_at,
    unsubscribed_at: row.refused_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** The lists and the CRM contacts of many mail contacts. */
export async function linksOf(
  reader: Reader,
  contacts: readonly { id: string; email: string }[],
): Promise<(contact: { id: string; email: string }) => MailContactLinks> {
  if (contacts.length === 0) return () => ({ list_ids: [], crm_contact_id: null });
  const [memberships, twins] = await Promise.all([
    reader.connection.query<{ contact_id: string; list_id: string }>(
      `SELECT contact_id, list_id FROM mail_list_members
        WHERE organization_id = $1 AND contact_id = ${oneOf('$2')} ORDER BY list_id`,
      [reader.organization_id, contacts.map(({ id }) => id)],
    ),
    reader.connection.query<{ email_key: string; id: string }>(
      `SELECT email_key, min(id) AS id FROM crm_contacts
        WHERE organization_id = $1 AND email_key = ANY ($2) GROUP BY email_key`,
      [reader.organization_id, contacts.map(({ email }) => emailKey(email))],
    ),
  ]);
  const lists = Map.groupBy(memberships, ({ contact_id }) => contact_id);
  const crm = new Map(twins.map(({ email_key, id }) => [email_key, id]));
  return ({ id, email }) => ({
    list_ids: (lists.get(id) ?? []).map(({ list_id }) => list_id),
    crm_contact_id: crm.get(emailKey(email)) ?? null,
  });
}

const BY_ID = `FROM mail_contacts WHERE organization_id = $1 AND id = $2`;

/** One mail contact. Errors: `not_found`. */
export async function mailContactById(reader: Reader, id: string): Promise<MailContact> {
  const [row] = await reader.connection.query<MailContactRow>(
    `SELECT ${mailContactColumns.join(', ')} ${BY_ID}`,
    [reader.organization_id, id],
  );
  if (!row) throw notFound();
  return mailContactOf(row, (await linksOf(reader, [row]))(row));
}

/** The contacts of those IDs that are there, the newest first. */
export async function mailContactsByIds(reader: Reader, ids: readonly string[]): Promise<MailContact[]> {
  const rows = await reader.connection.query<MailContactRow>(
    `SELECT ${mailContactColumns.join(', ')} FROM mail_contacts
      WHERE organization_id = $1 AND id = ${oneOf('$2')} ORDER BY id DESC`,
    [reader.organization_id, ids],
  );
  const links = await linksOf(reader, rows);
  return rows.map((row) => mailContactOf(row, links(row)));
}

export type LockedMailContact = { contact: MailContact; email_key: string; refused_at: string | null };

/** The same, its row locked until the work commits, with what answers do not show. Errors: `not_found`. */
export async function lockMailContact(
  reader: Reader,
  id: string,
  purpose: 'change' | 'removal' = 'change',
): Promise<LockedMailContact> {
  const locked = await lockContactOf(reader, lockedBy('$2', purpose), id);
  if (!locked) throw notFound();
  return locked;
}

/** The contact of a recipient of a campaign, locked likewise; null where it was erased. Behind the lock of the recipient, with which it travels. */
export function lockContactOfRecipient(
  reader: Reader,
  recipient_id: string,
): Promise<LockedMailContact | null> {
  return lockContactOf(reader, BY_RECIPIENT, recipient_id);
}

/** The statements that lock the contact whose ID the SQL says and read what it is linked with; `$1`: the organization. */
function lockedBy(id: string, purpose: 'change' | 'removal') {
  const isThis = `FROM mail_contacts WHERE organization_id = $1 AND id = ${id}`;
  return {
    row: `SELECT ${mailContactColumns.join(', ')}, email_key ${isThis} ${purpose === 'change' ? 'FOR NO KEY UPDATE' : 'FOR UPDATE'}`,
    lists: `SELECT list_id FROM mail_list_members WHERE organization_id = $1 AND contact_id = ${id} ORDER BY list_id`,
    crm: `SELECT min(id) AS id FROM crm_contacts WHERE organization_id = $1 AND email_key = (SELECT email_key ${isThis})`,
  };
}

const BY_RECIPIENT = lockedBy(
  '(SELECT contact_id FROM mail_campaign_recipients WHERE organization_id = $1 AND id = $2)',
  'change',
);

/** In one trip: the lock is waited for before the others are read. */
async function lockContactOf(
  { connection, organization_id }: Reader,
  { row, lists, crm }: ReturnType<typeof lockedBy>,
  id: string,
): Promise<LockedMailContact | null> {
  const values = [organization_id, id];
  const [[locked], memberships, [twin]] = await Promise.all([
    connection.query<MailContactRow & { email_key: string }>(row, values),
    connection.query<{ list_id: string }>(lists, values),
    connection.query<{ id: string | null }>(crm, values),
  ]);
  if (!locked) return null;
  const { email_key, refused_at } = locked;
  const links = { list_ids: memberships.map(({ list_id }) => list_id), crm_contact_id: twin!.id };
  return { contact: mailContactOf(locked, links), email_key, refused_at };
}

/** The ID of the contact with that e-mail, or null. */
export async function contactWithEmail(reader: Reader, email_key: string): Promise<string | null> {
  const [row] = await reader.connection.query<{ id: string }>(
    'SELECT id FROM mail_contacts WHERE organization_id = $1 AND email_key = $2',
    [reader.organization_id, email_key],
  );
  return row?.id ?? null;
}

/** The ID of the contact with that ID of the client's own, or null. */
export async function contactWithExternalId(
  reader: Reader,
  external_id: string | null,
): Promise<string | null> {
  if (external_id === null) return null;
  const found = await idByKey(reader, mailContactKind, 'external_id', external_id);
  return found?.id ?? null;
}

export type MailContactFilters = LookUps & {
  search?: string;
  list_id?: string;
  status?: MailContact['status'][];
};

/** How many contacts a list has, as it counts them itself. */
async function contactCount({ connection, organization_id }: Reader, list_id: string): Promise<number> {
  const [list] = await connection.query<{ contact_count: number }>(
    'SELECT contact_count FROM mail_lists WHERE organization_id = $1 AND id = $2',
    [organization_id, list_id],
  );
  return list?.contact_count ?? 0;
}

/** The contacts that the filters leave. */
export function mailContactList(reader: Reader, filters: MailContactFilters, window: Window): ListQuery {
  const { list_id, status, search } = filters;
  const query = MailContactModel.table(reader);
  const isWholeList = !isFiltered({ ...filters, list_id: undefined, search: undefined });
  // The index of a status has the order of the list only where one status is asked for.
  if (status?.length === 1) query.where('mail_contacts.status', status[0]!);
  else if (status) query.whereIn('mail_contacts.status', status);
  if (list_id) {
    query
      .joinRaw(
        `JOIN mail_list_members AS membership ON membership.organization_id = mail_contacts.organization_id
          AND membership.contact_id = mail_contacts.id`,
      )
      .where({ 'membership.organization_id': reader.organization_id, 'membership.list_id': list_id });
  }
  return {
    query,
    table: MailContactModel.tableName,
    columns: mailContactColumns,
    prefix: 'mcont',
    sorts: { email: 'email_key' },
    window,
    is_filtered: isFiltered({ ...filters, search: undefined }),
    counted: { table: MailContactModel.tableName },
    search: search === undefined ? null : searchTerm(search),
    look_ups: { kind: mailContactKind, asked: filters },
    total: list_id && isWholeList ? () => contactCount(reader, list_id) : undefined,
    indexes_changed_rows: true,
    candidates: (term) => contactCandidates(reader.organization_id, term),
  };
}

/** A window of the contacts that the filters leave. */
export async function mailContactPage(
  reader: Reader,
  filters: MailContactFilters,
  window: Window,
): Promise<Page<MailContact>> {
  const page = await pageOf<MailContactRow>(reader, mailContactList(reader, filters, window));
  const links = await linksOf(reader, page.rows);
  return { ...page, rows: page.rows.map((row) => mailContactOf(row, links(row))) };
}
