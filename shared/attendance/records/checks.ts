import { type FieldError, invalidAll } from '../../kernel/failure.ts';
import type { Text } from '../../kernel/language.ts';
import { dayOf, minuteOf } from '../../kernel/local-time.ts';
import { dayAt, type Rules } from '../days/rules.ts';
import type { Session } from '../days/types.ts';
import type { SessionInput } from './record.ts';

/** By how much the clock of who sends may be ahead. */
const AHEAD = 60_000;

export type Checked = {
  rules: Rules;
  work_date: string;
  now: Date;
  max_session_hours: number;
  /** The newest instant of the member's sessions of other work dates; null: none. */
  newest_elsewhere: string | null;
};

/**
 * The sessions of a work date as they were sent, in order of time. Errors: `validation_failed` at /sessions/n/... for those
 * that run backwards, overlap, last too long, lie in the future or begin two days off, for breaks outside of them, and for one
 * without end that is not the member's newest.
 */
export function checkedSessions(sent: readonly SessionInput[], asked: Checked): Session[] {
  const faults = sent.flatMap((session, index) => faultsOf(session, index, asked));
  if (faults.length === 0) faults.push(...orderFaults(sent, asked));
  if (faults.length > 0) throw invalidAll(faults);
  return sent.map((session) => ({ work_date: asked.work_date, ...session })).toSorted(byTime);
}

function byTime(one: SessionInput, other: SessionInput): number {
  return Date.parse(one.clock_in_at) - Date.parse(other.clock_in_at) || endOf(one) - endOf(other);
}

function endOf({ clock_out_at }: SessionInput): number {
  return clock_out_at === null ? Number.POSITIVE_INFINITY : Date.parse(clock_out_at);
}

function faultsOf(session: SessionInput, index: number, asked: Checked): FieldError[] {
  const { clock_in_at, clock_out_at } = session;
  const at = `/sessions/${index}`;
  const latest = asked.now.getTime() + AHEAD;
  if (Date.parse(clock_in_at) > latest) return [fault(`${at}/clock_in_at`, 'future_time', FUTURE)];
  const begins = dayAt(asked.rules, minuteOf(clock_in_at));
  if (Math.abs(begins - dayOf(asked.work_date)) > 1) {
    return [fault(`${at}/clock_in_at`, 'far_from_work_date', FAR)];
  }
  if (clock_out_at !== null) {
    const length = Date.parse(clock_out_at) - Date.parse(clock_in_at);
    if (length < 0) return [fault(`${at}/clock_out_at`, 'before_start', BACKWARDS)];
    if (Date.parse(clock_out_at) > latest) return [fault(`${at}/clock_out_at`, 'future_time', FUTURE)];
    if (length > asked.max_session_hours * 3_600_000) {
      return [fault(`${at}/clock_out_at`, 'too_long', tooLong(asked.max_session_hours))];
    }
  }
  return breakFaults(session, at, latest);
}

function breakFaults(
  { clock_in_at, clock_out_at, breaks }: SessionInput,
  at: string,
  latest: number,
): FieldError[] {
  let before = Date.parse(clock_in_at);
  const end = clock_out_at === null ? latest : Date.parse(clock_out_at);
  for (const [index, { start_at, end_at }] of breaks.entries()) {
    const place = `${at}/breaks/${index}`;
    if (Date.parse(start_at) < before || Date.parse(start_at) > end) {
      return [fault(`${place}/start_at`, index === 0 ? 'outside_session' : 'overlap', BREAK_OUTSIDE)];
    }
    if (end_at === null) {
      const mayRun = clock_out_at === null && index === breaks.length - 1;
      return mayRun ? [] : [fault(`${place}/end_at`, 'required', BREAK_OPEN)];
    }
    if (Date.parse(end_at) < Date.parse(start_at))
      return [fault(`${place}/end_at`, 'before_start', BACKWARDS)];
    if (Date.parse(end_at) > end) return [fault(`${place}/end_at`, 'outside_session', BREAK_OUTSIDE)];
    before = Date.parse(end_at);
  }
  return [];
}

/** What concerns several sessions: overlaps, and one without end before others. */
function orderFaults(sent: readonly SessionInput[], { newest_elsewhere }: Checked): FieldError[] {
  const order = sent
    .map((session, index) => ({ session, index }))
    .toSorted((one, other) => byTime(one.session, other.session));
  for (const [place, { session, index }] of order.entries()) {
    const next = order[place + 1];
    if (session.clock_out_at === null) {
      const isNewest =
        !next &&
        (newest_elsewhere === null || Date.parse(newest_elsewhere) <= Date.parse(session.clock_in_at));
      if (!isNewest) return [endMissing(index)];
    } else if (next && Date.parse(next.session.clock_in_at) < Date.parse(session.clock_out_at)) {
      return [fault(`/sessions/${next.index}/clock_in_at`, 'overlap', OVERLAP)];
    }
  }
  return [];
}

/** The fault of a session without end that is not the member's newest. */
export function endMissing(index: number): FieldError {
  return fault(`/sessions/${index}/clock_out_at`, 'required', OPEN);
}

function fault(path: string, code: string, message: Text): FieldError {
  return { in: 'body', path, code, message };
}

const FUTURE: Text = { en: 'A session does not lie in the future', ja: '未来の時刻は指定できません' };
const FAR: Text = {
  en: 'A session begins on its work date, or on the day before or after it',
  ja: '出勤は勤務日の前日から翌日までの時刻で指定してください',
};
const BACKWARDS: Text = { en: 'The end lies before the beginning', ja: '終了が開始より前です' };
const BREAK_OUTSIDE: Text = {
  en: 'Breaks lie within their session, one after the other',
  ja: '休憩は勤務時間の中に、重ならないよう順に指定してください',
};
const BREAK_OPEN: Text = {
  en: 'Only the last break of a session that runs may be without end',
  ja: '終了のない休憩は、勤務中のセッションの最後の休憩だけです',
};
const OPEN: Text = {
  en: "Only the member's newest session may be without end",
  ja: '退勤のないセッションは、メンバーの最新のセッションだけです',
};
const OVERLAP: Text = { en: 'Two sessions have a part of the same time', ja: '勤務の時間が重なっています' };

function tooLong(hours: number): Text {
  return {
    en: `A session lasts ${hours} hours at most (max_session_hours)`,
    ja: `1回の勤務は ${hours} 時間までです（max_session_hours）`,
  };
}
