import { oneOf } from '../../db/one-of.ts';
import type { Reader } from '../../kernel/reader.ts';
import { ROTATING_ASKED } from '../calendars/live/ask.ts';
import type { EventType } from '../event-types/record.ts';
import { questionOf } from '../questions/question.ts';
import { startsOf } from '../slots/starts.ts';
import { turnsAt } from './assignment.ts';

const MINUTE = 60_000;

type Wanted = {
  event_type: EventType;
  start: string;
  duration_minutes: number;
  /** The hosts that were asked for; undefined: as round robin says. */
  user_ids?: readonly string[] | undefined;
  /** Who hosts if they are free: those of the booking that is moved, or of the hold. */
  kept?: readonly string[];
  /** Records that do not count: the booking that is moved, the hold. */
  without?: readonly string[];
};

/**
 * The members whose calendars a start depends on, those first who would host it: of many who take turns only the first ones are
 * asked live, and who is not asked may be passed over. Reads whose turn it is only where somebody has a calendar that is asked.
 */
export async function liveMembers(reader: Reader, wanted: Wanted): Promise<EventType['members']> {
  const { event_type, user_ids, kept = [] } = wanted;
  const { members } = event_type;
  if (user_ids !== undefined) {
    const chosen = members.filter(({ user_id }) => user_ids.includes(user_id));
    return chosen.map((member) => ({ ...member, role: 'required' }));
  }
  const rotating = members.filter(({ role }) => role === 'rotating');
  if (rotating.length <= ROTATING_ASKED || !(await hasLiveCalendar(reader, rotating))) return members;
  const first = [...kept, ...(await turnsOf(reader, wanted))];
  const placeOf = (user_id: string) => (first.includes(user_id) ? first.indexOf(user_id) : first.length);
  return [
    ...members.filter(({ role }) => role !== 'rotating'),
    ...rotating.toSorted((one, other) => placeOf(one.user_id) - placeOf(other.user_id)),
  ];
}

async function hasLiveCalendar(
  { connection, organization_id }: Reader,
  members: EventType['members'],
): Promise<boolean> {
  const found = await connection.query(
    `SELECT FROM scheduler_connections
      WHERE organization_id = $1 AND user_id = ${oneOf('$2')} AND provider = 'google' AND status <> 'disconnected' LIMIT 1`,
    [organization_id, members.map(({ user_id }) => user_id)],
  );
  return found.length > 0;
}

async function turnsOf(
  reader: Reader,
  { event_type, start: at, duration_minutes, without = [] }: Wanted,
): Promise<string[]> {
  const start = Date.parse(at);
  const { question, time_zone } = await questionOf(reader, {
    event_type,
    duration_minutes,
    from: start,
    to: start + MINUTE,
    without: { record_ids: without },
  });
  return turnsAt(reader, { event_type, free: startsOf(question).free(start), start, time_zone, without });
}
