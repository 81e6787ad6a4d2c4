import { pageOf } from '../../db/list.ts';
import { oneOf } from '../../db/one-of.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { memberOfPath } from '../sight/people.ts';
import { presentOf } from './present.ts';
import { type Terms, TermsModel } from './record.ts';

export const termsColumns = [
  'id',
  'member_id',
  'effective_from',
  'work_system',
  'schedule_id',
  'weekly_days',
  'weekly_hours',
  'annual_days',
  'deemed_minutes',
  'flexible_limit',
  'created_at',
  'updated_at',
] as const;

export type TermsRow = Omit<Terms, 'object' | 'weekly_hours'> & { weekly_hours: number | string | null };

/** A row as the API shows it. */
export function termsOf(row: TermsRow): Terms {
  const { id, ...fields } = presentOf(row);
  return { id, object: 'attendance.terms', ...fields };
}

/** A window of the terms of a member. Errors: `not_found`, also for a member whom the caller does not see. */
export async function termsPage(reader: Reader, member_id: string, window: Window): Promise<Page<Terms>> {
  await memberOfPath(reader, member_id);
  const page = await pageOf<TermsRow>(reader, {
    query: TermsModel.table(reader).where('attendance_terms.member_id', member_id),
    table: TermsModel.tableName,
    columns: termsColumns,
    prefix: 'term',
    sorts: { effective_from: 'effective_from' },
    window,
  });
  return { ...page, rows: page.rows.map(termsOf) };
}

/** All terms of members, by member and in the order of their dates: what their days are computed with. */
export async function allTerms(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
): Promise<Map<string, Terms[]>> {
  const rows = await connection.query<TermsRow>(
    `SELECT ${termsColumns.join(', ')} FROM attendance_terms WHERE organization_id = $1 AND member_id = ${oneOf('$2')}
      ORDER BY member_id, effective_from`,
    [organization_id, member_ids],
  );
  return Map.groupBy(rows.map(termsOf), ({ member_id }) => member_id);
}
