import type { Reader } from '../../kernel/reader.ts';
import type { Role } from '../../kernel/scope.ts';
import type { Row } from '../../kernel/statement.ts';
import { gramsOf } from '../../platform/search/grams.ts';
import { searchText } from '../../platform/search/lines.ts';
import { normalise } from '../../platform/search/normalise.ts';
import type { PresentTerms } from '../terms/record.ts';
import type { AttendanceMember } from './record.ts';

export const memberColumns = [
  'id',
  'user_id',
  'name',
  'email',
  'employee_code',
  'department_id',
  'position_id',
  'hired_on',
  'left_on',
  'slack_user_id',
  'status',
  'external_id',
  'metadata',
  'created_at',
  'updated_at',
] as const;

export type MemberRow = Omit<AttendanceMember, 'object' | 'role' | 'terms'>;

/** A row as the API shows it. */
export function memberOf(row: MemberRow, role: Role | null, terms: PresentTerms): AttendanceMember {
  const { id, user_id, status, external_id, metadata, created_at, updated_at, ...fields } = row;
  return {
    id,
    object: 'attendance.member',
    user_id,
    ...fields,
    role,
    status,
    terms,
    external_id,
    metadata,
    created_at,
    updated_at,
  };
}

/** A row as facts tell it: what is computed is left out of them in any case. */
export function toldOf(row: MemberRow): { id: string } {
  return { ...row, object: 'attendance.member' } as { id: string };
}

/** What a row is kept as: its fields, and what it is found by. */
export function columnsOf(row: MemberRow): Row {
  const search_text = searchText([row.name, row.email, row.employee_code]);
  return { ...row, searched_name: normalise(row.name), search_text, search_grams: gramsOf(search_text) };
}

/** The roles of accounts that are members of the organization by now. */
export async function rolesOf(
  { connection, organization_id }: Reader,
  user_ids: readonly string[],
): Promise<(user_id: string | null) => Role | null> {
  const rows =
    user_ids.length === 0
      ? []
      : await connection.query<{ user_id: string; role: Role }>(
          `SELECT user_id, role FROM members
            WHERE organization_id = $1 AND user_id = ANY ($2) AND left_at IS NULL`,
          [organization_id, user_ids],
        );
  const roles = new Map(rows.map(({ user_id, role }) => [user_id, role]));
  return (user_id) => (user_id === null ? null : (roles.get(user_id) ?? null));
}
