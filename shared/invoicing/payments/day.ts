import { dayOf, daysBetween } from '../../kernel/days.ts';
import { Failure, invalid } from '../../kernel/failure.ts';

/** Days that a payment may lie ahead; beyond them the day can only be a slip. */
const MOST_AHEAD = 31;

/** When money came or left, as it was said: a day, or an instant of it. */
export type SaidDay = { paid_on?: string; paid_at?: string };

type Zone = { time_zone: string; today: string };

/**
 * The day that was said, in a time zone, and the field that said it; today where none did. Errors: `validation_failed` with
 * `mutually_exclusive` where a day and an instant of another one were sent.
 */
export function saidDay(
  { paid_on, paid_at }: SaidDay,
  { time_zone, today }: Zone,
): { day: string; path: '/paid_on' | '/paid_at' } {
  const of_instant = paid_at?.includes('T') ? dayOf(new Date(paid_at), time_zone) : paid_at;
  if (paid_on !== undefined && of_instant !== undefined && of_instant !== paid_on) {
    const message = {
      en: `paid_at is of ${of_instant}, and paid_on another day; send one of them`,
      ja: `paid_at は ${of_instant} で、paid_on と日が違います。どちらか一方を指定してください`,
    };
    throw invalid('/paid_at', 'mutually_exclusive', message);
  }
  const path = paid_on === undefined ? '/paid_at' : '/paid_on';
  return { day: paid_on ?? of_instant ?? today, path };
}

/**
 * The day on which money came, in a time zone; today unless said. Errors: those of `saidDay` and `requireNear`.
 */
export function dayPaid(
  { allow_future, ...said }: SaidDay & { allow_future?: boolean | undefined },
  zone: Zone,
): string {
  const { day, path } = saidDay(said, zone);
  requireNear(day, path, { today: zone.today, allow_future });
  return day;
}

/** Sees that a day is no slip. Errors: `future_date` at `path` for one more than 31 days ahead, unless that is allowed. */
export function requireNear(
  day: string,
  path: string,
  { today, allow_future = false }: { today: string; allow_future?: boolean | undefined },
): void {
  if (allow_future || daysBetween(today, day) <= MOST_AHEAD) return;
  const message = {
    en: `${day} is more than ${MOST_AHEAD} days ahead`,
    ja: `${day} は${MOST_AHEAD}日より先の日付です`,
  };
  throw new Failure('future_date', {
    detail: message,
    errors: [{ in: 'body', path, code: 'future_date', message }],
  });
}
