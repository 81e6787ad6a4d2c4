import { Failure, type FieldError } from '../../kernel/failure.ts';
import type { Text } from '../../kernel/language.ts';
import { slotTaken } from '../occupancies/record.ts';
import type { Reason } from '../slots/types.ts';

/** Seconds after which a calendar is asked again. */
const RETRY_AFTER = '30';

const WORDS: Readonly<Record<Exclude<Reason, 'busy' | 'buffer' | 'seats_full'>, Text>> = {
  past: { en: 'the start has passed', ja: '開始時刻を過ぎています' },
  too_soon: { en: 'the start is too soon to be booked', ja: '予約の受付期限を過ぎています' },
  beyond_window: {
    en: 'the start is not within the days that can be booked',
    ja: '予約できる期間の外です',
  },
  not_aligned: { en: 'nothing begins at this minute', ja: 'この分に始まる枠はありません' },
  outside_hours: { en: 'the host is not available then', ja: '受付時間の外です' },
  limit_reached: {
    en: 'no more can be booked in this period',
    ja: 'この期間の予約数が上限に達しています',
  },
  calendar_unavailable: {
    en: "the host's calendar cannot be read just now",
    ja: '主催者のカレンダーを確認できません',
  },
};

/**
 * What a caller is told whose start cannot be booked: 409 `slot_taken` where somebody else has it, 409 `limit_reached`, 503
 * `calendar_unavailable`, and else 422 `not_bookable`; the reason is the code of the error at /start.
 */
export function refusalOf(reason: Reason): Failure {
  if (reason === 'busy' || reason === 'buffer' || reason === 'seats_full') return slotTaken(reason);
  const message = WORDS[reason];
  if (reason === 'calendar_unavailable') {
    return new Failure('calendar_unavailable', { headers: { 'Retry-After': RETRY_AFTER } });
  }
  const errors: FieldError[] = [{ in: 'body', path: '/start', code: reason, message }];
  return new Failure(reason === 'limit_reached' ? 'limit_reached' : 'not_bookable', {
    detail: message,
    errors,
  });
}
