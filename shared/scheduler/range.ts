import { z } from 'zod';
import { DAY } from '../kernel/days.ts';
import { type FieldError, invalidAll } from '../kernel/failure.ts';
import { joined, sameText, says, type Text } from '../kernel/language.ts';
import { day, timestampInput } from '../kernel/schema.ts';

/**
 * Whatever is booked, blocked or asked about lies from the first of these years to the end of the last: what is added to it, as
 * buffers and weeks around it, stays storable.
 */
const [FIRST_YEAR, LAST_YEAR] = [2000, 2100];

/** A text that begins with a year, an instant or a date, of those years. */
export function withinYears<Schema extends z.ZodType<string>>(schema: Schema) {
  return schema.refine(
    (value) => {
      const year = Number((value as string).slice(0, 4));
      return year >= FIRST_YEAR && year <= LAST_YEAR;
    },
    {
      params: { code: 'out_of_range' },
      error: says({
        en: `must lie in the years ${FIRST_YEAR} to ${LAST_YEAR}`,
        ja: `は${FIRST_YEAR}年から${LAST_YEAR}年までの日時で指定してください`,
      }),
    },
  );
}

/** An instant of those years. */
export function instantInput() {
  return withinYears(timestampInput());
}

/** Dates that one call may look at. */
export const MOST_DATES = 62;

/** An instant, or a date that stands for its midnight in the time zone of the call. */
export function rangeEnd() {
  const end = z.string().transform((value, context) => {
    const parsed = (DATE.test(value) ? day() : timestampInput()).safeParse(value);
    if (parsed.success) return parsed.data;
    context.addIssue({
      code: 'custom',
      params: { code: 'invalid_format' },
      message: says({
        en: 'must be a day as YYYY-MM-DD, or an ISO 8601 time with its zone',
        ja: 'は YYYY-MM-DD 形式の日付か、タイムゾーン付きのISO 8601形式の日時で指定してください',
      }),
    });
    return z.NEVER;
  });
  return withinYears(end).meta({ examples: ['2026-12-01'] });
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Instants in milliseconds since 1970; `to` is not within. */
export type Range = { from: number; to: number };

/** The ends as a call has them, and so many dates after `from` where it has no `to`; `from` is now where it has none. */
export type AskedRange = { from?: string | undefined; to?: string | undefined; dates: number };

/**
 * The range that is asked for, whose dates are those of a time zone. Errors: `validation_failed` at `to`, which must be after
 * `from`, by 62 dates at most. `where` says in which part of the request it stands.
 */
export function rangeIn(
  { from, to, dates }: AskedRange,
  time_zone: string,
  now: number,
  where: Where = IN_QUERY,
): Range {
  const start = from === undefined ? at(now, time_zone) : zoned(from, time_zone);
  const end = to === undefined ? start.add({ days: dates }) : zoned(to, time_zone);
  if (Temporal.ZonedDateTime.compare(end, start) <= 0) {
    throw faultAt(where, 'not_after_from', {
      en: 'must be after from',
      ja: 'は from より後の日時で指定してください',
    });
  }
  if (Temporal.ZonedDateTime.compare(end, start.add({ days: MOST_DATES })) > 0) {
    throw faultAt(where, 'too_long', {
      en: `must be at most ${MOST_DATES} days after from`,
      ja: `は from から${MOST_DATES}日以内で指定してください`,
    });
  }
  return { from: start.epochMilliseconds, to: end.epochMilliseconds };
}

/**
 * A range that contains the one that is asked for in whatever time zone its dates are: for reading before the zone is known.
 */
export function widestRange({ from, to, dates }: AskedRange, now: number): Range {
  const start = from === undefined ? now : Date.parse(from);
  const end = to === undefined ? start + dates * DAY : Date.parse(to);
  return { from: start - LARGEST_OFFSET, to: Math.min(end, start + MOST_DATES * DAY) + LARGEST_OFFSET };
}

/** No clock differs more from UTC, a change of it included. */
const LARGEST_OFFSET = 16 * 3_600_000;

type Where = Pick<FieldError, 'in' | 'path'>;

const IN_QUERY: Where = { in: 'query', path: 'to' };

function faultAt(where: Where, code: string, predicate: Text) {
  const message = joined([sameText(where.path.replace('/', '')), predicate], ' ');
  return invalidAll([{ ...where, code, message }]);
}

function zoned(text: string, time_zone: string): Temporal.ZonedDateTime {
  return DATE.test(text)
    ? Temporal.PlainDate.from(text).toZonedDateTime(time_zone)
    : at(Date.parse(text), time_zone);
}

function at(instant: number, time_zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(time_zone);
}
