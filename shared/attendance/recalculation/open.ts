import type { Reader } from '../../kernel/reader.ts';

/** Whether a recalculation has yet to come to a day of a member. */
export type Recalculating = (member_id: string, work_date: string) => boolean;

/** A recalculation that is asked for, runs, or ended before it was done. Members come in the order of their IDs. */
export type Recalculation = {
  id: string;
  job_id: string;
  status: 'queued' | 'running' | 'stopped';
  /** null: all members. */
  member_ids: string[] | null;
  /** The first day that is computed again; null: every day of an open period. */
  from_date: string | null;
  /** The last member who is done. */
  done_through: string;
};

export const recalculationColumns = [
  'id',
  'job_id',
  'status',
  'member_ids',
  'from_date',
  'done_through',
] as const;

/** What recalculations have yet to come to. There are two or three of an organization at a time. */
export async function openRecalculations({ connection, organization_id }: Reader): Promise<Recalculating> {
  const open = await connection.query<Recalculation>(
    `SELECT ${recalculationColumns.join(', ')} FROM attendance_recalculations WHERE organization_id = $1`,
    [organization_id],
  );
  if (open.length === 0) return () => false;
  return (member_id, work_date) =>
    open.some(
      ({ member_ids, from_date, done_through }) =>
        member_id > done_through &&
        (from_date === null || work_date >= from_date) &&
        (member_ids === null || member_ids.includes(member_id)),
    );
}
