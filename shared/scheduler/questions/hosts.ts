import type { Reader } from '../../kernel/reader.ts';
import { defaultSettings, type KeptSettings } from '../settings/record.ts';
import type { Availability, Block, Question, Session } from '../slots/types.ts';
import type { Reach } from './reach.ts';

const HOUR = 3_600_000;

/** Hours after which a calendar that was not synced is not known any more. */
const KNOWN_FOR = 24 * HOUR;

/** A member with what is stored about the member's time; `availability` null: neither an own one nor a default. */
export type StoredHost = {
  user_id: string;
  availability: Availability | null;
  blocks: Block[];
  calendar_works: boolean;
};

/** What starts follow from among the organization's settings. */
export type SettingsOfSlots = Pick<
  KeptSettings,
  'time_zone' | 'week_starts_on' | 'default_availability' | 'calendar_failure' | 'block_on_leave'
>;

export type AskedHosts = {
  event_type_id: string;
  /** In the order in which they are answered. */
  members: readonly { user_id: string; availability_id: string | null }[];
  reach: Reach;
  /** Records that do not count: a booking that is moved, the hold of who asks. */
  without: readonly string[];
};

export type Stored = {
  settings: SettingsOfSlots;
  hosts: StoredHost[];
  counted: Question['counted'];
  sessions: Session[];
};

/**
 * What is stored about members' time and about the bookings of an event type, as far as it matters: one statement, one row a
 * member, however many bookings. What has expired by now occupies nobody, whether a job has settled it or not.
 */
export async function storedHosts(
  { connection, organization_id, now }: Reader,
  { event_type_id, members, reach, without }: AskedHosts,
): Promise<Stored> {
  const at = (instant: number) => new Date(instant).toISOString();
  const rows = await connection.query<HostRow>(STORED, [
    organization_id,
    members.map(({ user_id }) => user_id),
    members.map(({ availability_id }) => availability_id),
    event_type_id,
    without,
    now.toISOString(),
    at(reach.bookings_from),
    at(reach.blocks_from),
    at(reach.until),
    reach.counted && at(reach.counted.from),
    reach.counted && at(reach.counted.until),
    at(now.getTime() - KNOWN_FOR),
    reach.leave.from,
    reach.leave.to,
  ]);
  const first = rows[0]!;
  return {
    settings: { ...defaultSettings, ...first.settings },
    hosts: members.length === 0 ? [] : rows.map(hostOf),
    counted: partsOf(first.counted).flatMap(([start, end, times]) =>
      Array<Span>(Number(times)).fill(spanOf(start!, end!)),
    ),
    sessions: partsOf(first.sessions).map(([start, end, seats]) => ({
      ...spanOf(start!, end!),
      seats_left: Number(seats),
    })),
  };
}

type HostRow = {
  user_id: string;
  time_zone: string | null;
  weekly: Availability['weekly'];
  overrides: Availability['overrides'];
  closed_on_holidays: boolean;
  /** Spans with commas between them; the parts of each, with spaces. A row for each of 10,000 spans would cost more. */
  blocks: string | null;
  calendar_works: boolean;
  /** These stand in the first row; settings null where nobody has changed any. */
  settings: SettingsOfSlots | null;
  counted: string | null;
  sessions: string | null;
};

const EPOCHS = `date_part('epoch', "start"), date_part('epoch', "end")`;
const OCCUPIES = `SELECT "start", "end", kind, record_id AS id, buffer_before_minutes AS before, buffer_after_minutes AS after
  FROM scheduler_occupancies WHERE organization_id = $1 AND user_id = asked.user_id AND record_id <> ALL ($5)
   AND "end" + buffer_after_minutes * interval '1 minute' > $8`;

/** Holds, those of proposals among them, and pending bookings expire; few do at any time, and a proposal may hold for weeks. */
const BLOCKS = `
  ${OCCUPIES} AND expires_at IS NULL AND "start" >= $7 AND "start" < $9
  UNION ALL ${OCCUPIES} AND expires_at > $6 AND "start" < $9
  UNION ALL SELECT "start", "end", 'block', id, 0, 0
    FROM scheduler_blocks WHERE organization_id = $1 AND user_id = asked.user_id AND "end" > $8 AND "start" < $9
  UNION ALL SELECT event."start", event."end", 'external', event.id, 0, 0
    FROM scheduler_external_events AS event
    JOIN scheduler_calendars AS calendar ON calendar.organization_id = event.organization_id
     AND calendar.connection_id = event.connection_id AND calendar.id = event.calendar_id AND calendar.checks_conflicts
    JOIN scheduler_connections AS connection ON connection.organization_id = event.organization_id
     AND connection.id = event.connection_id AND connection.status <> 'disconnected'
   WHERE event.organization_id = $1 AND event.user_id = asked.user_id AND event."end" > $8 AND event."start" < $9`;

/** There is a row without a member where a type has none. */
const FIRST = 'coalesce(position, 1) = 1';

const STORED = `
  SELECT asked.user_id, time_zone, weekly, closed_on_holidays,
    CASE WHEN overrides = '[]' THEN overrides ELSE (
      SELECT coalesce(jsonb_agg(one), '[]') FROM jsonb_array_elements(overrides) AS one
       WHERE one ->> 'date' BETWEEN $13 AND $14
    ) END AS overrides,
    (SELECT string_agg(concat_ws(' ', ${EPOCHS}, kind, id, before, after), ',') FROM (${BLOCKS}) AS block) AS blocks,
    NOT EXISTS (
      SELECT FROM scheduler_connections AS connection
       WHERE connection.organization_id = $1 AND connection.user_id = asked.user_id
         AND connection.status <> 'disconnected'
         AND (connection.status <> 'active' OR coalesce(connection.last_synced_at < $12, true))
         AND EXISTS (
           SELECT FROM scheduler_calendars AS calendar
            WHERE calendar.organization_id = $1 AND calendar.connection_id = connection.id
              AND calendar.checks_conflicts)
    ) AS calendar_works,
    CASE WHEN ${FIRST} THEN (
      SELECT jsonb_build_object('time_zone', setting.time_zone, 'week_starts_on', week_starts_on,
          'default_availability', default_availability, 'calendar_failure', calendar_failure,
          'block_on_leave', block_on_leave)
        FROM scheduler_settings AS setting WHERE setting.organization_id = $1
    ) END AS settings,
    CASE WHEN ${FIRST} AND $10::timestamptz IS NOT NULL THEN (
      SELECT string_agg(concat_ws(' ', ${EPOCHS}, times), ',') FROM (
        SELECT "start", "end", CASE WHEN session_id IS NULL THEN count(*) ELSE 1 END AS times FROM scheduler_bookings
         WHERE organization_id = $1 AND event_type_id = $4 AND is_counted AND "start" >= $10 AND "start" < $11
           AND id <> ALL ($5) AND (session_id IS NULL OR session_id <> ALL ($5))
           AND (pending_expires_at IS NULL OR pending_expires_at > $6)
         GROUP BY "start", "end", session_id
      ) AS booking
    ) END AS counted,
    CASE WHEN ${FIRST} THEN (
      SELECT string_agg(concat_ws(' ', ${EPOCHS}, seats - taken), ',') FROM scheduler_sessions
       WHERE organization_id = $1 AND event_type_id = $4 AND status = 'confirmed' AND id <> ALL ($5)
         AND "start" >= $7 AND "start" < $9
    ) END AS sessions
  FROM (VALUES (1)) AS always (present)
  LEFT JOIN unnest($2::text[], $3::text[]) WITH ORDINALITY AS asked (user_id, availability_id, position) ON true
  LEFT JOIN scheduler_availability AS own ON own.organization_id = $1 AND own.user_id = asked.user_id
   AND CASE WHEN asked.availability_id IS NULL THEN is_default ELSE own.id = asked.availability_id END
  ORDER BY position`;

const KINDS: Readonly<Record<string, Block['kind']>> = {
  booking: 'booking',
  session: 'booking',
  hold: 'hold',
  proposal: 'hold',
  block: 'block',
  external: 'external',
};

function hostOf({ user_id, blocks, calendar_works, time_zone, ...hours }: HostRow): StoredHost {
  const { weekly, overrides, closed_on_holidays } = hours;
  return {
    user_id,
    availability: time_zone === null ? null : { time_zone, weekly, overrides, closed_on_holidays },
    blocks: partsOf(blocks).map(([start, end, kind, id, before, after]) => ({
      ...spanOf(start!, end!),
      kind: KINDS[kind!]!,
      id: id!,
      buffer_before_minutes: Number(before),
      buffer_after_minutes: Number(after),
    })),
    calendar_works,
  };
}

function partsOf(text: string | null): string[][] {
  return text === null ? [] : text.split(',').map((span) => span.split(' '));
}

type Span = { start: number; end: number };

/** Seconds since 1970 become milliseconds. */
function spanOf(start: string, end: string): Span {
  return { start: Math.round(Number(start) * 1_000), end: Math.round(Number(end) * 1_000) };
}
