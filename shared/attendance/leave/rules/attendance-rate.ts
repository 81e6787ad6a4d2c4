import { attendedTypes, type LeaveType, releasedTypes } from '../kinds.ts';
import { leaveLawOn } from './law.ts';

/** A past workday, as attendance counts it. */
export type DutyDay = {
  /** Whether the member was there, however shortly. */
  present: boolean;
  /** The kinds of approved leave on that day. */
  leave: readonly LeaveType[];
};

/** Workdays, and those of them that were attended. */
export type Attendance = { workdays: number; attended_days: number };

/** Counts days of duty. A day without presence that is leave is attended, no day of duty, or missed, by its kinds. */
export function attendanceOf(days: readonly DutyDay[]): Attendance {
  const counted = days.map(({ present, leave }) => {
    if (present || leave.some((type) => attendedTypes.includes(type))) return 'attended';
    return leave.some((type) => releasedTypes.includes(type)) ? 'released' : 'missed';
  });
  const attended_days = counted.filter((one) => one === 'attended').length;
  const missed = counted.filter((one) => one === 'missed').length;
  return { workdays: attended_days + missed, attended_days };
}

/** Where a rate comes from: recorded days, the one who asked for the grant, or nowhere, there being no workday. */
export const rateSources = ['records', 'given', 'none'] as const;

export type AttendanceRate = {
  /** With one decimal, cut: what is below the law's share is not shown as it. Null without workdays. */
  attendance_rate_percent: number | null;
  rate_source: (typeof rateSources)[number];
  /** Whether so much was attended that leave is granted. */
  met: boolean;
};

/**
 * The rate of a period before a grant. A `given` percentage, with one decimal at most, replaces what was counted; a
 * period without a workday is met.
 */
export function attendanceRate(
  { workdays, attended_days }: Attendance,
  granted_on: string,
  given: number | null = null,
): AttendanceRate {
  const { attendance_percent } = leaveLawOn(granted_on);
  if (given !== null) {
    return { attendance_rate_percent: given, rate_source: 'given', met: given >= attendance_percent };
  }
  if (workdays === 0) return { attendance_rate_percent: null, rate_source: 'none', met: true };
  const tenths = Math.floor((attended_days * 1000) / workdays);
  const met = attended_days * 100 >= workdays * attendance_percent;
  return { attendance_rate_percent: tenths / 10, rate_source: 'records', met };
}
