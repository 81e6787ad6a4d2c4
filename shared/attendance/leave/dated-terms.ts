import { oneOf } from '../../db/one-of.ts';
import type { Reader } from '../../kernel/reader.ts';
import { presentOf } from '../terms/present.ts';
import { defaultTerms } from '../terms/record.ts';
import type { WorkingShare } from './rules/statutory.ts';

type TermsRow = WorkingShare & { member_id: string; effective_from: string };

/** What the terms of members say about how much they work, by member and day; before the first row the defaults. */
export async function datedTermsOf(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
): Promise<(member_id: string) => (date: string) => WorkingShare> {
  const rows = await connection.query<TermsRow>(
    `SELECT member_id, effective_from, weekly_days, weekly_hours, annual_days FROM attendance_terms
      WHERE organization_id = $1 AND member_id = ${oneOf('$2')} ORDER BY member_id, effective_from`,
    [organization_id, member_ids],
  );
  const byMember = Map.groupBy(rows.map(presentOf), ({ member_id }) => member_id);
  return (member_id) => (date) =>
    byMember.get(member_id)?.findLast(({ effective_from }) => effective_from <= date) ?? defaultTerms;
}
