import { dayOf, minuteOf } from '../../kernel/local-time.ts';
import { type MemberPlans, planOf } from './day-plan.ts';
import { dayAt } from './rules.ts';
import type { Piece } from './session-pieces.ts';
import type { LeftOver } from './types.ts';

/** By day, the pieces that count for it, in order of time. */
export type Buckets = Map<number, Piece[]>;

/**
 * The day that a minute of a session counts for:
 * (a) the calendar day, where that is a legal holiday: a holiday is a calendar day (Labour Standards Act art. 35);
 * (b) the calendar day, where the work date or a day between it and the minute is a legal holiday;
 * (c) the latest workday after the work date whose window, as leave has left it, starts at or before the minute: work on
 *     through the next shift is that day's;
 * (d) the work date: work on past midnight is one day's work (Notice 1988-01-01 no. 1).
 */
export function bucketOf(plans: MemberPlans, work_day: number, minute: number): number {
  const calendar = dayAt(plans.rules, minute);
  if (calendar === work_day) return work_day;
  if (isLegal(plans, calendar)) return calendar;
  for (let day = Math.min(work_day, calendar); day <= Math.max(work_day, calendar); day += 1) {
    if (isLegal(plans, day)) return calendar;
  }
  for (let day = calendar; day > work_day; day -= 1) {
    const start = planOf(plans, day).left?.start;
    if (start !== undefined && start <= minute) return day;
  }
  return work_day;
}

function isLegal(plans: MemberPlans, day: number): boolean {
  return planOf(plans, day).day_type === 'legal_holiday';
}

/** The first minute after one at which the bucket of a session may be another: a midnight or the start of a window. */
function nextBorder(plans: MemberPlans, work_day: number, minute: number): number {
  const calendar = dayAt(plans.rules, minute);
  let border = planOf(plans, calendar).end;
  for (let day = work_day + 1; day <= calendar; day += 1) {
    const start = planOf(plans, day).left?.start;
    if (start !== undefined && minute < start && start < border) border = start;
  }
  return border;
}

/** Puts pieces, in order of time, into the buckets of their minutes. */
export function bucketsOf(plans: MemberPlans, pieces: readonly Piece[]): Buckets {
  const buckets: Buckets = new Map();
  for (const piece of pieces) {
    const { day, kind, start, end } = piece;
    const left_over = planOf(plans, day).frozen?.left_over;
    if (left_over) {
      for (const one of left_over) addPart(buckets, one, piece);
      continue;
    }
    for (let from = start; from < end; ) {
      const to = Math.min(end, nextBorder(plans, day, from));
      add(buckets, bucketOf(plans, day, from), { start: from, end: to, day, kind });
      from = to;
    }
  }
  return buckets;
}

/** Of a closed day's piece only what was left to a later day counts. */
function addPart(buckets: Buckets, { work_date, start_at, end_at }: LeftOver, piece: Piece): void {
  const start = Math.max(piece.start, minuteOf(start_at));
  const end = Math.min(piece.end, minuteOf(end_at));
  if (start < end) add(buckets, dayOf(work_date), { ...piece, start, end });
}

function add(buckets: Buckets, day: number, piece: Piece): void {
  const pieces = buckets.get(day);
  if (pieces) pieces.push(piece);
  else buckets.set(day, [piece]);
}
