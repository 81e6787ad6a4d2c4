import { Failure } from '../../kernel/failure.ts';
import { type Reader, systemActor } from '../../kernel/reader.ts';
import { busyLive, type Live, type LiveBusy } from '../calendars/live/ask.ts';
import type { EventType } from '../event-types/record.ts';

const MINUTE = 60_000;

/** What nobody was asked about: stored records alone count. */
export const NOBODY_ASKED: LiveBusy = new Map();

/** What is wanted of which event type; null where there is none: the operation says why. */
export type LiveWanted = {
  event_type: Pick<EventType, 'members' | 'buffer_before_minutes' | 'buffer_after_minutes'>;
  start: string;
  duration_minutes: number;
} | null;

/**
 * What the calendars of hosts say about a start, asked before anything is locked. `find` reads what is wanted; the connection
 * that it reads on is given back before anybody is asked.
 */
export async function liveBusyAt(
  live: Live,
  organization_id: string,
  find: (reader: Reader) => Promise<LiveWanted>,
): Promise<LiveBusy> {
  const wanted = await live.database.withConnection(organization_id, async (connection) => {
    const who = { actor: systemActor, organization_id, request_id: null, ip_address: null };
    try {
      return await find({ ...who, connection, now: live.clock() });
    } catch (error) {
      if (error instanceof Failure && error.code === 'not_found') return null;
      throw error;
    }
  });
  if (!wanted) return NOBODY_ASKED;
  const { event_type, duration_minutes } = wanted;
  const start = Date.parse(wanted.start);
  return busyLive(live, {
    organization_id,
    members: event_type.members,
    from: start - event_type.buffer_before_minutes * MINUTE,
    to: start + (duration_minutes + event_type.buffer_after_minutes) * MINUTE,
  });
}
