import { dayOf, daysBetween } from '../../kernel/days.ts';
import { Failure, invalid } from '../../kernel/failure.ts';

/** Days that a payment may lie ahead; beyond them the day can only be a slip. */
const MOST_AHEAD = 31;

/** When money came, as it was said: a day, or an instant of it. */
export type SaidDay = { paid_on?: string; paid_at?: string; allow_future?: boolean };

/**
 * The day on which money came or left, in a time zone; today unless said. Errors: `validation_failed` with
 * `mutually_exclusive` where a day and an instant of another one were sent, `future_date` for one further ahead than
 * `most_ahead` days, 31 unless said.
 */
export function dayPaid(
  { paid_on, paid_at, allow_future = false }: SaidDay,
  { time_zone, today, most_ahead = MOST_AHEAD }: { time_zone: string; today: string; most_ahead?: number },
): string {
  const of_instant = paid_at?.includes('T') ? dayOf(new Date(paid_at), time_zone) : paid_at;
  if (paid_on !== undefined && of_instant !== undefined && of_instant !== paid_on) {
    const message = {
      en: `paid_at is of ${of_instant}, and paid_on another day; send one of them`,
      ja: `paid_at は ${of_instant} で、paid_on と日が違います。どちらか一方を指定してください`,
    };
    throw invalid('/paid_at', 'mutually_exclusive', message);
  }
  const day = paid_on ?? of_instant ?? today;
  if (allow_future || daysBetween(today, day) <= most_ahead) return day;
  const path = paid_on === undefined ? '/paid_at' : '/paid_on';
  const message =
    most_ahead > 0
      ? { en: `${day} is more than ${most_ahead} days ahead`, ja: `${day} は${most_ahead}日より先の日付です` }
      : { en: `${day} lies in the future`, ja: `${day} は未来の日付です` };
  throw new Failure('future_date', {
    detail: message,
    errors: [{ in: 'body', path, code: 'future_date', message }],
  });
}
