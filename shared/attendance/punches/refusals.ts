import { Failure, invalid } from '../../kernel/failure.ts';
import type { PunchRefusal, Standing } from '../days/punch-states.ts';

/** A punch that the state of the member does not allow. */
export function punchRefused(
  code: PunchRefusal,
  { state, allowed_types, elapsed_minutes }: Standing,
): Failure {
  const allowed = allowed_types.join(', ');
  return new Failure(code, {
    detail: {
      en: `The member is ${state}; allowed now: ${allowed}`,
      ja: `現在の状態は ${state} です。打刻できる種類：${allowed}`,
    },
    members: { current_status: state, allowed: allowed_types, elapsed_minutes },
  });
}

/** A punch before the newest instant that is recorded. */
export function outOfOrder(newest: string, { state, allowed_types, elapsed_minutes }: Standing): Failure {
  return new Failure('out_of_order', {
    detail: {
      en: `${newest} is recorded already; a punch is not older`,
      ja: `${newest} が記録済みです。それより前の時刻では打刻できません`,
    },
    members: { current_status: state, allowed: allowed_types, elapsed_minutes, newest_at: newest },
  });
}

/** A punch by a member who gives its time. */
export function occurredAtNotAllowed(): Failure {
  const message = {
    en: 'occurred_at: as member you punch as of now',
    ja: 'occurred_at：member の役割では現在時刻でのみ打刻できます',
  };
  return new Failure('occurred_at_not_allowed', {
    detail: message,
    errors: [{ in: 'body', path: '/occurred_at', code: 'occurred_at_not_allowed', message }],
  });
}

/** A punch that is more than a minute ahead. */
export function futureTime(): Failure {
  const message = {
    en: 'occurred_at lies more than 60 seconds in the future',
    ja: 'occurred_at は現在から60秒より先の時刻にできません',
  };
  return new Failure('future_time', {
    detail: message,
    errors: [{ in: 'body', path: '/occurred_at', code: 'future_time', message }],
  });
}

/** A work date of another punch than a clock_in. */
export function workDateOfOtherType(): Failure {
  return invalid('/work_date', 'not_allowed', {
    en: 'work_date is for clock_in alone; other punches belong to their session',
    ja: 'work_date を指定できるのは clock_in だけです。ほかの打刻は勤務の日に属します',
  });
}

/** A work date that is not next to the punch. */
export function workDateFarOff(): Failure {
  return invalid('/work_date', 'far_from_occurred_at', {
    en: 'work_date must be the day before the punch, of it or after it',
    ja: 'work_date は打刻の前日、当日、翌日のいずれかを指定してください',
  });
}

/** A location where the settings do not ask for one. */
export function locationNotEnabled(): Failure {
  return invalid('/location', 'location_not_enabled', {
    en: 'location is off in the settings of attendance; leave it out',
    ja: '勤怠の設定で位置情報は無効です。location を省略してください',
  });
}

/** No location where the settings require one. */
export function locationRequired(): Failure {
  return invalid('/location', 'required', {
    en: 'location is required by the settings of attendance',
    ja: '勤怠の設定により location は必須です',
  });
}
