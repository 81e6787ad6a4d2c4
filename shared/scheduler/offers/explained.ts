import { DAY, todayIn } from '../../kernel/days.ts';
import type { Reader } from '../../kernel/reader.ts';
import { inTurns } from '../../kernel/turns.ts';
import type { EventType } from '../event-types/record.ts';
import { isHosted, questionOf } from '../questions/question.ts';
import { rangeIn, widestRange } from '../range.ts';
import { startsOf } from '../slots/starts.ts';
import type { Candidate as Judged } from '../slots/types.ts';
import { lengthOf } from './length.ts';
import type { Candidate } from './record.ts';

/**
 * Every aligned minute of a date in the grid's zone, today's unless said, and why it cannot be booked. Of others' leave the
 * reader hears that the time is taken and no more. Errors: `validation_failed` at the parameter.
 */
export async function explainedStarts(
  reader: Reader,
  event_type: EventType,
  asked: { date?: string | undefined; duration_minutes?: number | undefined },
): Promise<Candidate[]> {
  const now = reader.now.getTime();
  const duration_minutes = lengthOf(event_type, asked.duration_minutes);
  const widest = asked.date
    ? widestRange({ from: asked.date, dates: 1 }, now)
    : { from: now - DAY, to: now + DAY };
  const { question, time_zone } = await questionOf(reader, { event_type, duration_minutes, ...widest });
  const date = asked.date ?? todayIn(time_zone, reader.now);
  const { from, to } = rangeIn({ from: date, dates: 1 }, time_zone, now);
  if (!isHosted(question)) return [];
  const user_ids = event_type.members.map(({ user_id }) => user_id);
  const candidates = await inTurns(startsOf(question).explained(from, to));
  return candidates.map((candidate) => shownCandidate(candidate, user_ids, reader.actor.user_id));
}

function shownCandidate(
  { start, ok, reason, host, blocked_by }: Judged,
  user_ids: readonly string[],
  reader_id: string | null,
): Candidate {
  const user_id = host === null ? null : user_ids[host]!;
  const isForeignLeave = blocked_by?.kind === 'leave' && user_id !== reader_id;
  return {
    start: new Date(start).toISOString(),
    ok,
    reason,
    user_id,
    blocked_by: isForeignLeave ? { kind: 'block', id: null } : blocked_by,
  };
}
