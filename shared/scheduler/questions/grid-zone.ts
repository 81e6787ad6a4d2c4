import type { Reader } from '../../kernel/reader.ts';
import type { EventType } from '../event-types/record.ts';

/**
 * The zone in which dates and limits of an event type are counted, for who asks for nothing else: its own; else, with one
 * member, that of the member's availability, else the settings'. `questionOf` says the same.
 */
export async function gridZoneOf(
  { connection, organization_id }: Reader,
  { time_zone, members }: Pick<EventType, 'time_zone' | 'members'>,
  settings: { time_zone: string },
): Promise<string> {
  if (time_zone !== null) return time_zone;
  const [member, ...others] = members;
  if (!member || others.length > 0) return settings.time_zone;
  const [own] = await connection.query<{ time_zone: string }>(
    `SELECT time_zone FROM scheduler_availability
      WHERE organization_id = $1 AND user_id = $2
        AND CASE WHEN $3::text IS NULL THEN is_default ELSE id = $3 END`,
    [organization_id, member.user_id, member.availability_id],
  );
  return own?.time_zone ?? settings.time_zone;
}
