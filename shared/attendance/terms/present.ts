import type { Reader } from '../../kernel/reader.ts';
import { defaultTerms, type PresentTerms } from './record.ts';

type Found = PresentTerms & { member_id: string; weekly_hours: string | null };

/** The terms of members on a day; before the first row of a member the defaults. */
export async function termsOn(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
  date: string,
): Promise<(member_id: string) => PresentTerms> {
  const rows =
    member_ids.length === 0
      ? []
      : await connection.query<Found>(
          `SELECT terms.* FROM unnest($2::text[]) AS member (id) CROSS JOIN LATERAL (
             SELECT id, member_id, effective_from, work_system, schedule_id, weekly_days, weekly_hours, annual_days,
                    deemed_minutes, flexible_limit
               FROM attendance_terms WHERE organization_id = $1 AND member_id = member.id AND effective_from <= $3
              ORDER BY effective_from DESC LIMIT 1
           ) AS terms`,
          [organization_id, member_ids, date],
        );
  const terms = new Map(rows.map(({ member_id, ...row }) => [member_id, presentOf(row)]));
  return (member_id) => terms.get(member_id) ?? { id: null, effective_from: null, ...defaultTerms };
}

/** `numeric` leaves the database as text. */
export function presentOf<Row extends { weekly_hours: number | string | null }>(
  row: Row,
): Row & { weekly_hours: number | null } {
  return { ...row, weekly_hours: row.weekly_hours === null ? null : Number(row.weekly_hours) };
}
