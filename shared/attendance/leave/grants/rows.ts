import type { Reader } from '../../../kernel/reader.ts';
import type { figuresOf } from '../rules/figures.ts';
import { bringsDuty } from '../rules/five-day.ts';
import type { LeaveGrant } from './record.ts';

export const grantColumns = [
  'id',
  'member_id',
  'type',
  'granted_on',
  'expires_on',
  'days',
  'reason',
  'note',
  'basis',
  'created_by',
  'external_id',
  'metadata',
  'created_at',
  'updated_at',
] as const;

/** A grant as it is kept. */
export type LeaveGrantRow = Pick<LeaveGrant, (typeof grantColumns)[number]>;

type Figures = ReturnType<typeof figuresOf>;

/** A grant as the API shows it, with its figures. */
export function grantOf({ id, created_at, updated_at, ...row }: LeaveGrantRow, figures: Figures): LeaveGrant {
  const { member_id, type, granted_on, expires_on, days, external_id, metadata, ...rest } = row;
  const five_day_duty = type === 'paid_annual' && bringsDuty(row);
  return {
    id,
    object: 'attendance.leave_grant',
    member_id,
    type,
    granted_on,
    expires_on,
    days,
    ...figures,
    five_day_duty,
    ...rest,
    external_id,
    metadata,
    created_at,
    updated_at,
  };
}

/** The grants of members, the oldest first. `numeric` leaves the database as text. */
export async function grantRowsOf(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
): Promise<LeaveGrantRow[]> {
  if (member_ids.length === 0) return [];
  const rows = await connection.query<LeaveGrantRow>(
    `SELECT ${grantColumns.join(', ')} FROM attendance_leave_grants
      WHERE organization_id = $1 AND member_id = ANY ($2) ORDER BY member_id, granted_on, id`,
    [organization_id, member_ids],
  );
  return rows.map(withNumber);
}

/** A grant by its ID. */
export async function grantRow(
  { connection, organization_id }: Reader,
  id: string,
): Promise<LeaveGrantRow | undefined> {
  const [row] = await connection.query<LeaveGrantRow>(
    `SELECT ${grantColumns.join(', ')} FROM attendance_leave_grants WHERE organization_id = $1 AND id = $2`,
    [organization_id, id],
  );
  return row && withNumber(row);
}

function withNumber(row: LeaveGrantRow): LeaveGrantRow {
  return { ...row, days: Number(row.days) };
}

/** A grant as facts tell it: without its figures. */
export function toldOfGrant(row: LeaveGrantRow): { id: string } {
  return { ...row, object: 'attendance.leave_grant' } as { id: string };
}
