import { z } from 'zod';
import type { Reader } from '../../kernel/reader.ts';
import { day } from '../../kernel/schema.ts';
import { memberById } from '../members/queries.ts';
import { AttendanceMember } from '../members/record.ts';
import { AttendanceRecord, SegmentShown } from '../records/record.ts';
import { seenMember } from '../sight/people.ts';
import { Submission } from '../submissions/record.ts';
import { rowsOf } from '../submissions/rows.ts';
import { shownSubmissions } from '../submissions/shown.ts';
import { closingsOf } from './closings.ts';
import { laidFor, presentMonth, yearMonth } from './month.ts';
import { monthDaysWithin, monthsWithin } from './queries.ts';
import { AttendanceLimits, AttendanceTotals } from './record.ts';

/** A month of one member with every day, as the API shows it. */
export const MonthInFull = z
  .strictObject({
    member: AttendanceMember,
    month: yearMonth(),
    period_start: day(),
    period_end: day(),
    days: z.array(
      AttendanceRecord.extend({
        segments: z.array(SegmentShown).describe('With `explain=true`: the day piece by piece.').optional(),
      }).meta({ id: 'AttendanceDayOfMonth' }),
    ),
    totals: AttendanceTotals,
    limits: AttendanceLimits.nullable().describe('Null for exempt people.'),
    submission: Submission.nullable().describe('Null: not submitted yet.'),
  })
  .meta({ id: 'AttendanceMonthInFull' });

export type MonthInFull = z.output<typeof MonthInFull>;

export type ReportAsked = {
  month?: string | undefined;
  member_id?: string | undefined;
  explain?: boolean | undefined;
};

/**
 * A month of who asks, or of another member whom they see: every day of the period with what it adds up to. Errors:
 * `not_found`, also for who is no member and names none.
 */
export async function monthInFull(reader: Reader, asked: ReportAsked): Promise<MonthInFull> {
  const { id } = await seenMember(reader, asked.member_id);
  const laid = await laidFor(reader, asked.month ?? (await presentMonth(reader)));
  const [member, months, days, submission] = await Promise.all([
    memberById(reader, id),
    monthsWithin(reader, [id], laid),
    monthDaysWithin(reader, [id], laid, { with_segments: asked.explain === true }),
    submissionOf(reader, id, laid.month),
  ]);
  const { totals, limits } = months.get(id)!;
  const { month, start, end } = laid.period;
  return {
    member,
    month,
    period_start: start,
    period_end: end,
    days: days.get(id) ?? [],
    totals,
    limits: limits as AttendanceLimits | null,
    submission,
  };
}

/** What a member has submitted of a month, if anything. */
async function submissionOf(reader: Reader, member_id: string, month: string): Promise<Submission | null> {
  const closing = (await closingsOf(reader, [member_id], month)).get(member_id);
  if (!closing) return null;
  const rows = await rowsOf(reader, [closing.submission_id]);
  return (await shownSubmissions(reader, rows))[0] ?? null;
}
