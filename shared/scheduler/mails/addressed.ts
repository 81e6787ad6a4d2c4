import { oneOf } from '../../db/one-of.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Locale } from '../../platform/mailer/letter.ts';

/** A member to whom mails are sent. */
export type Addressed = {
  user_id: string;
  name: string;
  email: string;
  locale: Locale;
  /** The zone of their default availability, else that of the settings. */
  time_zone: string;
  /** Where entries of their bookings are written; null: nowhere, or not now. */
  writes_to: 'google' | 'caldav' | null;
};

/** Where a calendar is written that works: one that does not leaves its owner with the mails. */
const TARGET = `(
  SELECT connection.provider FROM scheduler_connections AS connection
    JOIN scheduler_calendars AS calendar
      ON calendar.organization_id = connection.organization_id AND calendar.connection_id = connection.id
   WHERE connection.organization_id = member.organization_id AND connection.user_id = member.user_id
     AND connection.status = 'active' AND calendar.is_write_target
   ORDER BY connection.provider DESC LIMIT 1)`;

const FIND = `SELECT person.id AS user_id, person.name, person.email, person.locale,
    COALESCE(availability.time_zone, settings.time_zone, 'Asia/Tokyo') AS time_zone, ${TARGET} AS writes_to
  FROM members AS member
  JOIN users AS person ON person.id = member.user_id
  LEFT JOIN scheduler_availability AS availability ON availability.organization_id = member.organization_id
   AND availability.user_id = member.user_id AND availability.is_default
  LEFT JOIN scheduler_settings AS settings ON settings.organization_id = member.organization_id
 WHERE member.organization_id = $1 AND member.user_id = ${oneOf('$2')} AND member.left_at IS NULL`;

/** The members among these users, by their IDs. Who has left is not written to any more. */
export async function addressedBy(
  { connection, organization_id }: Pick<Reader, 'connection' | 'organization_id'>,
  user_ids: readonly string[],
): Promise<Map<string, Addressed>> {
  const rows = await connection.query<Addressed>(FIND, [organization_id, [...new Set(user_ids)]]);
  return new Map(rows.map((row) => [row.user_id, row]));
}
