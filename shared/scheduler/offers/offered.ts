import type { Reader } from '../../kernel/reader.ts';
import { inTurns } from '../../kernel/turns.ts';
import type { EventType } from '../event-types/record.ts';
import { isHosted, questionOf } from '../questions/question.ts';
import { type AskedRange, rangeIn, widestRange } from '../range.ts';
import { startsOf } from '../slots/starts.ts';
import { lengthOf } from './length.ts';
import type { Slots } from './record.ts';
import { shownSlots } from './shown.ts';

/** Dates of slots where a call does not say until when. */
const USUAL_DATES = 31;

export type AskedSlots = Omit<AskedRange, 'dates'> & {
  /** Of `local_start` and of dates; the grid's unless said. It does not change which starts there are. */
  time_zone?: string | undefined;
  /** The first length of the type unless said. */
  duration_minutes?: number | undefined;
  /** Records that do not count, such as a booking that is moved. */
  without?: readonly string[];
};

/**
 * Reads what the starts of an event type follow from that are offered in a range: from now for 31 days unless said. Answers
 * what computes them, while the process answers others. Errors: `validation_failed` at the parameter, of both.
 */
export async function readSlots(
  reader: Reader,
  event_type: EventType,
  asked: AskedSlots,
): Promise<() => Promise<Slots>> {
  const now = reader.now.getTime();
  const duration_minutes = lengthOf(event_type, asked.duration_minutes);
  const range: AskedRange = { from: asked.from, to: asked.to, dates: USUAL_DATES };
  const { question, time_zone: grid } = await questionOf(reader, {
    event_type,
    duration_minutes,
    ...widestRange(range, now),
    without: { record_ids: asked.without ?? [] },
  });
  return async () => {
    const time_zone = asked.time_zone ?? grid;
    const { from, to } = rangeIn(range, time_zone, now);
    const slots = isHosted(question) ? await inTurns(startsOf(question).offered(from, to)) : [];
    return inTurns(shownSlots(slots, { time_zone, duration_minutes, from, to }));
  };
}
