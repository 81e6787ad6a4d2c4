import type { Database } from '../../../db/database.ts';
import { oneOf } from '../../../db/one-of.ts';
import { type Reader, systemActor } from '../../../kernel/reader.ts';
import type { OutsideServices } from '../../../platform/outside/open.ts';
import { schedulerSettingsOf } from '../../settings/queries.ts';
import type { OpenCalendars } from '../provider.ts';
import { providerOf } from '../providers.ts';
import type { ConnectionStatus, ProviderName } from '../record.ts';
import { type Span, withoutSpans } from './spans.ts';

/** What a live question is asked with. */
export type Live = { database: Database; services: OutsideServices; clock: () => Date };

/** Who may be booked for when: `from` and `to` are those of the event with its buffers, in milliseconds since 1970. */
export type LiveQuestion = {
  organization_id: string;
  /** Of the rotating ones the first are asked. */
  members: readonly { user_id: string; role: 'required' | 'optional' | 'rotating' }[];
  from: number;
  to: number;
};

/** What is known of a member: when their calendars say busy, asked just now; `stored`: as rows say; `unknown`: not enough. */
export type LiveAnswer =
  | { known: 'live'; busy: readonly Span[] }
  | { known: 'stored' }
  | { known: 'unknown' };

/** By member; who has no calendar that is asked live is not there. */
export type LiveBusy = ReadonlyMap<string, LiveAnswer>;

/** Milliseconds for all questions together: a guest waits for them. */
export const LIVE_LIMIT = 2_000;

/** Rotating members that are asked: the others count by their rows. */
export const ROTATING_ASKED = 3;

/** Rows that were read so long ago, in milliseconds, count in the place of an answer. */
const FRESH = 5 * 60_000;

type Counted = {
  user_id: string;
  id: string;
  provider: ProviderName;
  status: ConnectionStatus;
  is_fresh: boolean;
  calendar_ids: string[];
};

/**
 * Asks the calendars of members whether they are busy, all at the same time, before anything is locked: those who are
 * required, and the first rotating ones. Holds no connection of the database while it waits. Who does not answer within the
 * time, or was not asked, counts by rows that are fresh; else nothing is known, which `calendar_failure` may allow.
 */
export async function busyLive(live: Live, question: LiveQuestion): Promise<LiveBusy> {
  const { organization_id, members } = question;
  const asked = members.filter(({ role }) => role !== 'optional').map(({ user_id }) => user_id);
  const { database, clock } = live;
  const now = clock();
  const { counted, own, is_open } = await database.withConnection(organization_id, async (connection) => {
    const reader = {
      connection,
      organization_id,
      actor: systemActor,
      now,
      request_id: null,
      ip_address: null,
    };
    const counted = await calendarsThatCount(reader, asked);
    if (counted.length === 0) return { counted, own: new Map<string, Span[]>(), is_open: false };
    const [own, { calendar_failure }] = await Promise.all([
      writtenSpans(reader, asked, question),
      schedulerSettingsOf(reader),
    ]);
    return { counted, own, is_open: calendar_failure === 'open' };
  });
  const rotating = members.filter(({ role }) => role === 'rotating').map(({ user_id }) => user_id);
  const passed = new Set(rotating.slice(ROTATING_ASKED));
  const signal = AbortSignal.timeout(LIVE_LIMIT);
  const answers = await Promise.all(
    [...Map.groupBy(counted, ({ user_id }) => user_id)].map(
      async ([user_id, connections]): Promise<[string, LiveAnswer]> => {
        const busy = passed.has(user_id) ? null : await askAll(live, question, connections, signal);
        if (busy) return [user_id, { known: 'live', busy: withoutSpans(busy, own.get(user_id) ?? []) }];
        return [
          user_id,
          { known: is_open || connections.every(({ is_fresh }) => is_fresh) ? 'stored' : 'unknown' },
        ];
      },
    ),
  );
  return new Map(answers);
}

/** What all connections of a member say; null where one of them does not answer in time. */
async function askAll(
  { database, services, clock }: Live,
  { organization_id, from, to }: LiveQuestion,
  connections: readonly Counted[],
  signal: AbortSignal,
): Promise<Span[] | null> {
  const ask = async ({ id, provider, status, calendar_ids }: Counted): Promise<Span[]> => {
    if (status !== 'active') throw new Error('The connection does not work');
    const opening = { database, services, organization_id, connection_id: id, clock, signal };
    const { busy } = providerOf(provider).open(opening) as Required<OpenCalendars>;
    const found = await busy(calendar_ids, new Date(from), new Date(to));
    return found.map(({ start, end }) => ({ start: start.getTime(), end: end.getTime() }));
  };
  const answered = Promise.all(connections.map(ask)).then((found) => found.flat());
  answered.catch(() => undefined);
  return Promise.race([answered, over(signal)]).catch(() => null);
}

/** A provider that hears no signal, such as one that waits for its token, is not waited for. */
function over(signal: AbortSignal): Promise<null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((done) => signal.addEventListener('abort', () => done(null), { once: true }));
}

/** The connections that can be asked live, with their calendars that check conflicts. */
function calendarsThatCount({ connection, organization_id, now }: Reader, user_ids: readonly string[]) {
  return connection.query<Counted>(
    `SELECT connection.user_id, connection.id, connection.provider, connection.status,
            connection.status = 'active'
              AND bool_and(calendar.last_synced_at IS NOT NULL AND calendar.last_synced_at >= $3) AS is_fresh,
            array_agg(calendar.id ORDER BY calendar.position, calendar.id) AS calendar_ids
       FROM scheduler_connections AS connection
       JOIN scheduler_calendars AS calendar
         ON calendar.organization_id = connection.organization_id AND calendar.connection_id = connection.id
      WHERE connection.organization_id = $1 AND connection.user_id = ${oneOf('$2')} AND connection.provider = 'google'
        AND connection.status <> 'disconnected' AND calendar.checks_conflicts
      GROUP BY connection.organization_id, connection.id`,
    [organization_id, user_ids, new Date(now.getTime() - FRESH).toISOString()],
  );
}

/**
 * The times of our own entries, as they were written last: those of removed ones too until they were seen to be gone, and of
 * those that an earlier connection of the same account has left.
 */
async function writtenSpans(
  { connection, organization_id }: Reader,
  user_ids: readonly string[],
  { from, to }: Pick<LiveQuestion, 'from' | 'to'>,
): Promise<Map<string, Span[]>> {
  const rows = await connection.query<{ user_id: string; start: string; end: string }>(
    `SELECT user_id, "start", "end" FROM scheduler_calendar_entries
      WHERE organization_id = $1 AND user_id = ${oneOf('$2')} AND "end" > $3 AND "start" < $4
     UNION ALL
     SELECT gone.user_id, gone."start", gone."end" FROM scheduler_left_entries AS gone
       JOIN scheduler_connections AS connection
         ON connection.organization_id = $1 AND connection.id = gone.connection_id AND connection.status <> 'disconnected'
      WHERE gone.organization_id = $1 AND gone.user_id = ${oneOf('$2')} AND gone."end" > $3 AND gone."start" < $4`,
    [organization_id, user_ids, new Date(from).toISOString(), new Date(to).toISOString()],
  );
  const spans = rows.map(({ user_id, start, end }) => ({
    user_id,
    start: Date.parse(start),
    end: Date.parse(end),
  }));
  return Map.groupBy(spans, ({ user_id }) => user_id);
}
