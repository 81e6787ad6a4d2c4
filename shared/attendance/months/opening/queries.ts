import type { Reader } from '../../../kernel/reader.ts';
import { memberOfPath } from '../../sight/people.ts';
import type { OpeningMonth } from '../record.ts';

/** The opening months of a member whom the caller sees, in their order. Errors: `not_found`. */
export async function openingMonths(reader: Reader, member_id: string): Promise<OpeningMonth[]> {
  await memberOfPath(reader, member_id);
  return openingRows(reader, member_id);
}

/** The opening months of a member, in their order. */
export function openingRows(
  { connection, organization_id }: Reader,
  member_id: string,
): Promise<OpeningMonth[]> {
  return connection.query<OpeningMonth>(
    `SELECT month, statutory_overtime_minutes, legal_holiday_minutes FROM attendance_opening_months
      WHERE organization_id = $1 AND member_id = $2 ORDER BY month`,
    [organization_id, member_id],
  );
}
