import type { Work } from '../../../kernel/work.ts';
import { releaseHeldMails } from '../../mails/order.ts';
import type { Entry, WrittenEntry } from '../provider.ts';
import type { ProviderName } from '../record.ts';
import { contentOf, wantsMeetingLink } from './content.ts';
import { writeEntryJob } from './jobs.ts';
import { lockBookings, refreshSync } from './state.ts';

/** Which entry: of a booking or session, for one of its hosts. */
export type EntryOf = { record_id: string; user_id: string };

/** What is to be done about an entry. `entry` is null where it is to be removed. */
export type Writing = {
  connection_id: string;
  calendar_id: string;
  provider: ProviderName;
  revision: number;
  key: string;
  entry: Entry | null;
  /** As it was written last; null where it may not have been. */
  before: WrittenEntry | null;
};

type Row = Omit<Writing, 'entry' | 'before' | 'key'> & {
  external_key: string;
  is_wanted: boolean;
  status: string;
  etag: string | null;
  meeting_link: string | null;
  was_written: boolean;
  delivery_id: string | null;
  is_held: boolean;
};

/**
 * Takes an entry for one delivery and says what is to be done: `busy` while another delivery writes it, null where nothing
 * is. Locks: the entry.
 */
export async function beginWriting(
  work: Work,
  { record_id, user_id }: EntryOf,
  delivery_id: string,
  host: string,
): Promise<Writing | 'busy' | null> {
  const { connection, organization_id } = work;
  const [row] = await connection.query<Row>(
    `SELECT entry.connection_id, entry.calendar_id, connection.provider, entry.revision, entry.external_key, entry.is_wanted,
            entry.status, entry.etag, entry.meeting_link, entry."end" IS NOT NULL AS was_written, entry.delivery_id,
            EXISTS (SELECT FROM outbox WHERE outbox.organization_id = entry.organization_id
                       AND outbox.id = entry.delivery_id) AS is_held
       FROM scheduler_calendar_entries AS entry
       JOIN scheduler_connections AS connection
         ON connection.organization_id = entry.organization_id AND connection.id = entry.connection_id
      WHERE entry.organization_id = $1 AND entry.record_id = $2 AND entry.user_id = $3 FOR NO KEY UPDATE OF entry`,
    [organization_id, record_id, user_id],
  );
  if (row?.status !== 'pending') return null;
  if (row.delivery_id !== null && row.delivery_id !== delivery_id && row.is_held) return 'busy';
  await hold(work, { record_id, user_id }, delivery_id);
  const { connection_id, calendar_id, provider, revision, external_key: key, etag, meeting_link } = row;
  const content = row.is_wanted ? await contentOf(work, { record_id, key, host }) : null;
  const wants = content !== null && (await wantsMeetingLink(work, { record_id, user_id }));
  return {
    connection_id,
    calendar_id,
    provider,
    revision,
    key,
    entry: content && { ...content, wants_meeting_link: wants },
    before: row.was_written ? { etag, meeting_link } : null,
  };
}

/** Takes an entry, or gives it free for others. */
export async function hold(
  work: Work,
  { record_id, user_id }: EntryOf,
  delivery_id: string | null,
): Promise<void> {
  await work.connection.query(
    `UPDATE scheduler_calendar_entries SET delivery_id = $4
      WHERE organization_id = $1 AND record_id = $2 AND user_id = $3`,
    [work.organization_id, record_id, user_id, delivery_id],
  );
}

/**
 * Notes what was written. Where something else is wanted by now, it is asked for. The link of a meeting goes to the bookings.
 * Locks: the bookings, then the entry.
 */
export async function noteWritten(
  work: Work,
  { record_id, user_id }: EntryOf,
  { revision, entry }: Writing,
  written: WrittenEntry | null,
): Promise<void> {
  const { connection, organization_id, now } = work;
  await lockBookings(work, [record_id]);
  const [after] = await connection.query<{ revision: number }>(
    `UPDATE scheduler_calendar_entries
        SET status = CASE WHEN revision <> $4 THEN status WHEN $5 THEN 'written' ELSE 'removed' END,
            etag = $6, meeting_link = CASE WHEN $5 THEN COALESCE($7, meeting_link) END,
            "start" = COALESCE($8, "start"), "end" = COALESCE($9, "end"), delivery_id = NULL, updated_at = $10
      WHERE organization_id = $1 AND record_id = $2 AND user_id = $3 RETURNING revision`,
    [
      organization_id,
      record_id,
      user_id,
      revision,
      entry !== null,
      written?.etag ?? null,
      written?.meeting_link ?? null,
      entry?.start.toISOString() ?? null,
      entry?.end.toISOString() ?? null,
      now.toISOString(),
    ],
  );
  if (after && after.revision !== revision) work.enqueue(writeEntryJob, { record_id, user_id });
  if (written?.meeting_link && entry?.wants_meeting_link) {
    await keepLink(work, record_id, written.meeting_link);
  }
  refreshSync(work, [record_id]);
}

/** The mails to guests that waited for the link go now. */
async function keepLink(work: Work, record_id: string, link: string): Promise<void> {
  const linked = await work.connection.query<{ id: string }>(
    `UPDATE scheduler_bookings SET location = jsonb_set(location, '{value}', to_jsonb($3::text))
      WHERE organization_id = $1 AND (id = $2 OR session_id = $2) AND location ->> 'type' = 'google_meet'
        AND location ->> 'value' IS DISTINCT FROM $3
      RETURNING id`,
    [work.organization_id, record_id, link],
  );
  for (const { id } of linked) await releaseHeldMails(work, id);
}

/** Notes that an entry could not be written, unless something else is wanted of it by now. Locks: the bookings, then the entry. */
export async function noteFailed(
  work: Work,
  { record_id, user_id }: EntryOf,
  { revision, word }: { revision: number | null; word: string },
): Promise<void> {
  await lockBookings(work, [record_id]);
  await work.connection.query(
    `UPDATE scheduler_calendar_entries
        SET status = CASE WHEN $4::int IS NULL OR revision = $4 THEN 'failed' ELSE status END, failure = $5,
            delivery_id = NULL, updated_at = $6
      WHERE organization_id = $1 AND record_id = $2 AND user_id = $3 AND status = 'pending'`,
    [work.organization_id, record_id, user_id, revision, word, work.now.toISOString()],
  );
  refreshSync(work, [record_id]);
}
