import type { Reader } from '../../kernel/reader.ts';
import type { Span } from './asked.ts';

const NOTES = `
  SELECT member_id, work_date, string_agg(note, '; ' ORDER BY occurred_at, id) AS notes
    FROM attendance_punches
   WHERE organization_id = $1 AND member_id = ANY ($2) AND work_date BETWEEN $3 AND $4 AND note IS NOT NULL
   GROUP BY member_id, work_date`;

/** What members said to their punches, by member and work date. */
export async function notesOf(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
  { from, to }: Pick<Span, 'from' | 'to'>,
): Promise<(member_id: string, work_date: string) => string> {
  const rows = await connection.query<{ member_id: string; work_date: string; notes: string }>(NOTES, [
    organization_id,
    member_ids,
    from,
    to,
  ]);
  const found = new Map(rows.map((row) => [`${row.member_id} ${row.work_date}`, row.notes]));
  return (member_id, work_date) => found.get(`${member_id} ${work_date}`) ?? '';
}
