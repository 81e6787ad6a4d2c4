import { Failure, invalid } from '../../kernel/failure.ts';
import type { BalanceType } from './kinds.ts';

/** Requests would take more than the grants of their days have. */
export function insufficientBalance(type: BalanceType, displaced: readonly string[]): Failure {
  const others =
    displaced.length === 0
      ? { en: '', ja: '' }
      : {
          en: `; it would leave nothing for ${displaced.join(', ')}`,
          ja: `（${displaced.join('、')} の分がなくなります）`,
        };
  return new Failure('insufficient_balance', {
    detail: {
      en: `The grants of ${type} that hold on these days have not enough left${others.en}`,
      ja: `対象日に有効な ${type} の残日数が足りません${others.ja}`,
    },
    members: { leave_type: type, displaced },
  });
}

/** Another live request of the member asks for the same time. */
export function overlappingRequest(existing_id: string): Failure {
  return new Failure('overlapping_request', {
    detail: {
      en: `${existing_id} asks for a part of the same time; cancel it or choose another time`,
      ja: `${existing_id} と時間が重なっています。取り消すか、別の時間を指定してください`,
    },
    members: { existing_id },
  });
}

/** More hours of annual leave than a year has. */
export function hourlyCapExceeded(left: number): Failure {
  const rest = Math.max(0, left);
  return new Failure('hourly_leave_cap_exceeded', {
    detail: {
      en: `${rest} hours of annual leave may still be taken by the hour in that year`,
      ja: `その年度に時間単位で取得できる年次有給休暇は、あと${rest}時間です`,
    },
    members: { hourly_cap_left_hours: rest },
  });
}

/** No day of a request is a workday. */
export function noWorkingDay(): Failure {
  const message = {
    en: 'None of these days is a workday of the member',
    ja: '指定した期間に、このメンバーの勤務日がありません',
  };
  return new Failure('no_working_day', {
    detail: message,
    errors: [{ in: 'body', path: '/start_date', code: 'no_working_day', message }],
  });
}

/** A day before the hire or after the last day of a member. */
export function notEmployed(date: string): Failure {
  return new Failure('not_employed', {
    detail: {
      en: `${date} lies outside the member's employment, from hired_on to left_on`,
      ja: `${date} は在籍期間（hired_on から left_on まで）の外です`,
    },
    members: { date },
  });
}

/** Hours that go beyond the end of the working time. */
export function beyondSchedule(most: number): Failure {
  return invalid('/hours', 'too_large', {
    en: `hours: ${most} hours of working time are left from start_time on`,
    ja: `hours：start_time 以降の勤務時間は${most}時間までです`,
  });
}
