import { daysLater } from '../../kernel/days.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { periodOfDate } from '../days/periods.ts';
import { refreshDays } from '../records/figures.ts';
import { datedRows } from '../settings/queries.ts';
import { ruleSettings } from '../settings/rules.ts';
import { type Recalculation, recalculationColumns } from './open.ts';

/** Members of one part: so many rows are locked, read and written in a transaction. */
export const MEMBERS_TOGETHER = 25;

/** The recalculation, locked until the work commits; null where it is done. */
export async function lockRecalculation(work: Work, id: string): Promise<Recalculation | null> {
  const [row] = await work.connection.query<Recalculation>(
    `SELECT ${recalculationColumns.join(', ')} FROM attendance_recalculations
      WHERE organization_id = $1 AND id = $2 FOR UPDATE`,
    [work.organization_id, id],
  );
  return row ?? null;
}

/** Whether an earlier recalculation of the organization runs: a later one waits for it. */
export async function waitsForAnother(work: Work, id: string): Promise<boolean> {
  const [other] = await work.connection.query(
    `SELECT FROM attendance_recalculations
      WHERE organization_id = $1 AND id <> $2 AND status = 'running' LIMIT 1`,
    [work.organization_id, id],
  );
  return other !== undefined;
}

/** How many members a recalculation concerns in all, and how many of them are done. */
export async function membersConcerned(
  { connection, organization_id }: Reader,
  { member_ids, done_through }: Recalculation,
): Promise<{ total: number; done: number }> {
  const [counts] = await connection.query<{ total: number; done: number }>(
    `SELECT count(*) AS total, count(*) FILTER (WHERE id <= $3) AS done FROM attendance_members
      WHERE organization_id = $1 AND ($2::text[] IS NULL OR id = ANY ($2))`,
    [organization_id, member_ids, done_through],
  );
  return counts!;
}

/**
 * Computes the next members of a recalculation and notes how far it came, in the work's transaction. The rows of the members
 * are locked in the order of their IDs, so whoever punches meanwhile comes before with the old rules or after with the new
 * ones. Answers how many; 0: all are done.
 */
export async function recalculateNext(work: Work, row: Recalculation): Promise<number> {
  const members = await work.connection.query<{ id: string }>(
    `SELECT id FROM attendance_members
      WHERE organization_id = $1 AND id > $2 AND ($3::text[] IS NULL OR id = ANY ($3))
      ORDER BY id LIMIT ${MEMBERS_TOGETHER} FOR NO KEY UPDATE`,
    [work.organization_id, row.done_through, row.member_ids],
  );
  if (members.length === 0) return 0;
  const ids = members.map(({ id }) => id);
  const dates = await datesOf(work, ids, row.from_date);
  if (dates) await refreshDays(work, ids, dates);
  work.run('UPDATE attendance_recalculations SET done_through = $3 WHERE organization_id = $1 AND id = $2', [
    work.organization_id,
    row.id,
    ids.at(-1),
  ]);
  return ids.length;
}

/** A session reaches so far beyond its work date, and a week so far beyond its first day. */
const BEFORE = 4;
const AFTER = 8;

/** The days of members that may come out differently: from the period of the change to what follows the last session. */
async function datesOf(
  work: Work,
  member_ids: readonly string[],
  from_date: string | null,
): Promise<{ from: string; to: string } | null> {
  const [bounds] = await work.connection.query<{ first: string | null; last: string | null }>(
    `SELECT min(work_date) AS first, max(work_date) AS last FROM attendance_records
      WHERE organization_id = $1 AND member_id = ANY ($2)`,
    [work.organization_id, member_ids],
  );
  if (!bounds?.first || !bounds.last) return null;
  const first = daysLater(bounds.first, -BEFORE);
  const to = daysLater(bounds.last, AFTER);
  if (from_date === null) return { from: first, to };
  const rules = ruleSettings(await datedRows(work), { agreements: [] });
  const { start } = periodOfDate(rules, daysLater(from_date, -BEFORE));
  const from = start > first ? start : first;
  return from <= to ? { from, to } : null;
}
