import type { Session } from './types.ts';

export const punchTypes = ['clock_in', 'break_start', 'break_end', 'clock_out'] as const;

export type PunchType = (typeof punchTypes)[number];

export type PunchState = 'off_duty' | 'working' | 'on_break';

export type PunchRefusal =
  | 'already_clocked_in'
  | 'not_clocked_in'
  | 'already_on_break'
  | 'not_on_break'
  | 'session_expired';

type Step = { to: PunchState } | { refused: PunchRefusal };

/** What a punch does in each state; `expired`: the newest session has lasted too long, and is shown as `off_duty`. */
export const punchTable: Readonly<Record<PunchState | 'expired', Readonly<Record<PunchType, Step>>>> = {
  off_duty: {
    clock_in: { to: 'working' },
    break_start: { refused: 'not_clocked_in' },
    break_end: { refused: 'not_on_break' },
    clock_out: { refused: 'not_clocked_in' },
  },
  working: {
    clock_in: { refused: 'already_clocked_in' },
    break_start: { to: 'on_break' },
    break_end: { refused: 'not_on_break' },
    clock_out: { to: 'off_duty' },
  },
  on_break: {
    clock_in: { refused: 'already_clocked_in' },
    break_start: { refused: 'already_on_break' },
    break_end: { to: 'working' },
    clock_out: { to: 'off_duty' },
  },
  expired: {
    clock_in: { to: 'working' },
    break_start: { refused: 'session_expired' },
    break_end: { refused: 'session_expired' },
    clock_out: { refused: 'session_expired' },
  },
};

/** What a member may punch at an instant. */
export type Standing = {
  state: PunchState;
  is_expired: boolean;
  /** Since the open session began, cut; null where none is open. */
  elapsed_minutes: number | null;
  allowed_types: PunchType[];
};

/** Whether an open session is over its most hours at an instant: over, not at it. */
export function isExpired(clock_in_at: string, at: string, max_session_hours: number): boolean {
  return Date.parse(at) - Date.parse(clock_in_at) > max_session_hours * 3_600_000;
}

/** The state at an instant, by a member's newest session. */
export function standingAt(newest: Session | null, at: string, max_session_hours: number): Standing {
  if (!newest || newest.clock_out_at !== null) {
    return {
      state: 'off_duty',
      is_expired: false,
      elapsed_minutes: null,
      allowed_types: allowed('off_duty'),
    };
  }
  const elapsed_minutes = Math.floor((Date.parse(at) - Date.parse(newest.clock_in_at)) / 60_000);
  if (isExpired(newest.clock_in_at, at, max_session_hours)) {
    return { state: 'off_duty', is_expired: true, elapsed_minutes, allowed_types: allowed('expired') };
  }
  const state = newest.breaks.at(-1)?.end_at === null ? 'on_break' : 'working';
  return { state, is_expired: false, elapsed_minutes, allowed_types: allowed(state) };
}

function allowed(row: PunchState | 'expired'): PunchType[] {
  return punchTypes.filter((type) => 'to' in punchTable[row][type]);
}

/** What a punch of a type leads to from there. */
export function stepOf({ state, is_expired }: Standing, type: PunchType): Step {
  return punchTable[is_expired ? 'expired' : state][type];
}
