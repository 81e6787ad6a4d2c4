import { notFound } from '../../../kernel/failure.ts';
import type { Reader } from '../../../kernel/reader.ts';
import { todayOf } from '../../settings/queries.ts';
import { memberOfPath } from '../../sight/people.ts';
import { leaveOf, type MemberLeave } from '../accounts.ts';
import type { BalanceType } from '../kinds.ts';
import { usedBy } from '../rules/balance.ts';
import { figuresOf } from '../rules/figures.ts';
import { allocate } from '../rules/uses.ts';
import type { LeaveGrant } from './record.ts';
import { grantOf, grantRow, type LeaveGrantRow } from './rows.ts';

/** Grants with their figures as of today, in their order. */
export async function shownGrants(reader: Reader, rows: readonly LeaveGrantRow[]): Promise<LeaveGrant[]> {
  const as_of = await todayOf(reader);
  const member_ids = [...new Set(rows.map(({ member_id }) => member_id))];
  const leave = await leaveOf(reader, member_ids, { today: as_of });
  const counted = new Map<string, (row: LeaveGrantRow) => LeaveGrant>();
  return rows.map((row) => {
    const key = `${row.member_id} ${row.type}`;
    const known = counted.get(key) ?? countedBy(leave(row.member_id), row.type, as_of);
    counted.set(key, known);
    return known(row);
  });
}

/** A grant with its figures, the account of its member being computed once. */
function countedBy(leave: MemberLeave, type: BalanceType, as_of: string): (row: LeaveGrantRow) => LeaveGrant {
  const { grants, takings, hours_per_day } = leave.account(type);
  const { uses } = allocate(grants, takings, hours_per_day);
  const isUsed = usedBy(takings, as_of);
  return (row) => grantOf(row, figuresOf(row, uses, isUsed, { as_of, hours_per_day }));
}

/** A grant with its figures as of today. */
export async function shownGrant(reader: Reader, row: LeaveGrantRow): Promise<LeaveGrant> {
  return (await shownGrants(reader, [row]))[0]!;
}

/** A grant of a member whose days the caller may read. Errors: `not_found`. */
export async function leaveGrantById(reader: Reader, id: string): Promise<LeaveGrant> {
  const row = await grantRow(reader, id);
  if (!row) throw notFound();
  await memberOfPath(reader, row.member_id);
  return shownGrant(reader, row);
}
