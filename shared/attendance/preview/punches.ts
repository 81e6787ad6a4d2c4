import { type FieldError, invalidAll } from '../../kernel/failure.ts';
import type { Text } from '../../kernel/language.ts';
import { dayOf, minuteOf } from '../../kernel/local-time.ts';
import type { MemberPlans } from '../days/day-plan.ts';
import { dayAt } from '../days/rules.ts';
import { sessionsOfPunches } from '../days/sessions-of-punches.ts';
import type { Session } from '../days/types.ts';
import { attendanceWords } from '../words.ts';
import type { PreviewInput } from './record.ts';

type Punches = PreviewInput['punches'];

/** What decides whether a punch counts. */
type Bounds = { max_session_hours: number; duplicate_window_seconds: number };

/**
 * The sessions that punches make, judged as punches of a member are: one that repeats the last of its type makes nothing.
 * Errors: `validation_failed` at /punches/n/... for a work date that is far off or of another type, for a punch before the one
 * ahead of it, and for one that the state does not allow.
 */
export function previewedSessions(
  plans: MemberPlans,
  punches: Punches,
  { max_session_hours, duplicate_window_seconds }: Bounds,
): Session[] {
  const faults = punches.flatMap((punch, index) => workDateFault(plans, punch, index));
  if (faults.length > 0) throw invalidAll(faults);
  const counted = withoutRepeated(punches, duplicate_window_seconds);
  const made = sessionsOfPunches(
    plans,
    counted.map(({ punch: { type, occurred_at, work_date } }) => ({
      type,
      occurred_at,
      work_date: work_date ?? null,
    })),
    max_session_hours,
  );
  if ('sessions' in made) return made.sessions;
  const { refused, index } = made;
  const field = refused === 'out_of_order' ? 'occurred_at' : 'type';
  const message: Text = attendanceWords.failures[refused].title;
  throw invalidAll([
    { in: 'body', path: `/punches/${counted[index]!.index}/${field}`, code: refused, message },
  ]);
}

function withoutRepeated(punches: Punches, seconds: number): { punch: Punches[number]; index: number }[] {
  const last = new Map<string, number>();
  return punches.flatMap((punch, index) => {
    const at = Date.parse(punch.occurred_at);
    const before = last.get(punch.type);
    if (before !== undefined && Math.abs(at - before) <= seconds * 1_000) return [];
    last.set(punch.type, at);
    return [{ punch, index }];
  });
}

function workDateFault(
  plans: MemberPlans,
  { type, occurred_at, work_date }: Punches[number],
  index: number,
): FieldError[] {
  if (work_date === undefined) return [];
  const at = { in: 'body', path: `/punches/${index}/work_date` } as const;
  if (type !== 'clock_in') return [{ ...at, code: 'not_allowed', message: OF_OTHER_TYPE }];
  const isNear = Math.abs(dayOf(work_date) - dayAt(plans.rules, minuteOf(occurred_at))) <= 1;
  return isNear ? [] : [{ ...at, code: 'far_from_occurred_at', message: FAR }];
}

const OF_OTHER_TYPE: Text = {
  en: 'work_date is for clock_in alone; other punches belong to their session',
  ja: 'work_date を指定できるのは clock_in だけです。ほかの打刻は勤務の日に属します',
};
const FAR: Text = {
  en: 'work_date must be the day before the punch, of it or after it',
  ja: 'work_date は打刻の前日、当日、翌日のいずれかを指定してください',
};
