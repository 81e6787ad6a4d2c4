import { createHash } from 'node:crypto';
import { daysLater } from '../../kernel/days.ts';
import type { Reader } from '../../kernel/reader.ts';
import { plainSettings, todayOf } from '../settings/queries.ts';
import { type AskedExport, type Span, spanOf } from './asked.ts';
import { peopleOf } from './people.ts';

/**
 * Entries of the audit log that are compared: one that began early and commits late takes a place among the newest, and is no newest
 * entry itself.
 */
const NEWEST = 2_000;

/** A session of a date ends within so many days, or expires. */
const REACH = 4;

/** What days, names, settings and recalculations of an organization have come to; sessions that expire do so without an entry. */
const MARKS = `
  SELECT (SELECT md5(string_agg(id, ' ' ORDER BY id)) FROM (
           SELECT id FROM audit_logs WHERE organization_id = $1 AND domain = 'attendance'
            ORDER BY id DESC LIMIT ${NEWEST}) AS newest) AS changes,
         (SELECT string_agg(concat_ws(' ', id, done_through, status), ' ' ORDER BY id)
            FROM attendance_recalculations WHERE organization_id = $1) AS recalculations,
         (SELECT name FROM organizations WHERE id = $1) AS organization,
         (SELECT string_agg(DISTINCT approver.name, ' ')
            FROM attendance_submissions AS submission JOIN users AS approver ON approver.id = submission.confirmed_by
           WHERE submission.organization_id = $1 AND submission.month = ANY ($2)) AS approvers,
         (SELECT count(*) FROM attendance_sessions
           WHERE organization_id = $1 AND member_id = ANY ($3) AND work_date BETWEEN $4 AND $5
             AND clock_out_at IS NULL AND clock_in_at < $6) AS expired`;

/** What a file would be made of: a revision that changes when a cell would, and how many months of members it has. */
export async function stateOf(
  reader: Reader,
  asked: AskedExport,
): Promise<{ revision: string; lines: number }> {
  const [span, today, { max_session_hours }] = await Promise.all([
    spanOf(reader, asked),
    todayOf(reader),
    plainSettings(reader),
  ]);
  const people = await peopleOf(reader, asked, span);
  const ids = people.map(({ id }) => id);
  const months = span.months.map(({ month }) => month);
  const running = datesRunning(span, today);
  const expiry = new Date(reader.now.getTime() - max_session_hours * 3_600_000).toISOString();
  const marks = await reader.connection.query(MARKS, [
    reader.organization_id,
    months,
    ids,
    running.from,
    running.to,
    expiry,
  ]);
  const revision = createHash('sha256')
    .update(JSON.stringify([today, span.from, span.to, ids, marks]))
    .digest('hex');
  return { revision, lines: people.length * span.months.length };
}

/** The days of a file whose sessions may run: those before them have expired for good. */
function datesRunning({ from, to }: Pick<Span, 'from' | 'to'>, today: string) {
  const first = daysLater(today, -REACH);
  return { from: from > first ? from : first, to };
}
