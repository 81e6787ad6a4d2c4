import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import type { PeopleFollower } from '../../platform/access/followers.ts';
import type { Member } from '../../platform/access/members/record.ts';
import { MANAGER } from '../departments/record.ts';
import { todayOf } from '../settings/queries.ts';
import { saveMember } from './operations.ts';
import { EMAIL_ONCE, MemberModel, memberFacts } from './record.ts';
import { columnsOf, type MemberRow, memberColumns, toldOf } from './row.ts';

const COLUMNS = memberColumns.map((column) => `member.${column}`).join(', ');

/** Each membership has a member, made or taken in the transaction that makes the membership. */
export const attendancePeople: PeopleFollower = { joined, left, invited, uninvited };

/**
 * Who was a member of the organization before is the same member again; else an account takes the member without one that
 * has its address, be it invited, hired by hand or gone; else a new one is made.
 */
async function joined(work: Work, { user_id, name, email }: Member): Promise<void> {
  const [before] = await work.connection.query<MemberRow>(
    `SELECT ${COLUMNS} FROM attendance_members AS member
      WHERE organization_id = $1 AND (user_id = $2 OR user_id IS NULL AND email = $3)
      ORDER BY user_id NULLS LAST LIMIT 1 FOR NO KEY UPDATE`,
    [work.organization_id, user_id, email],
  );
  // Somebody may add a person with this address at the same moment: then there is one to take.
  work.repeatOn(EMAIL_ONCE);
  if (!before) {
    insertMember(work, { user_id, name, email, status: 'active' });
    return;
  }
  const known = before.status === 'invited' ? name : before.name;
  const left_on = before.status === 'left' ? null : before.left_on;
  saveMember(work, before, { ...before, user_id, name: known, status: 'active', left_on });
}

/** The last day of who leaves is today, unless another one was said. */
async function left(work: Work, { user_id }: Member): Promise<void> {
  const [before] = await work.connection.query<MemberRow>(
    `SELECT ${COLUMNS} FROM attendance_members AS member WHERE organization_id = $1 AND user_id = $2
      FOR NO KEY UPDATE`,
    [work.organization_id, user_id],
  );
  if (!before) return;
  saveMember(work, before, {
    ...before,
    status: 'left',
    left_on: before.left_on ?? (await todayOf(work)),
  });
}

/** Each invited address gets a member, which can be prepared before somebody accepts, unless it has one. */
async function invited(work: Work, invitations: readonly { email: string }[]): Promise<void> {
  const emails = [...new Set(invitations.map(({ email }) => email.toLowerCase()))];
  const found = await work.connection.query<{ email: string }>(
    'SELECT email FROM attendance_members WHERE organization_id = $1 AND email = ANY ($2)',
    [work.organization_id, emails],
  );
  work.repeatOn(EMAIL_ONCE);
  const known = new Set(found.map(({ email }) => email));
  for (const email of emails) {
    if (!known.has(email)) insertMember(work, { user_id: null, name: email, email, status: 'invited' });
  }
}

/** Members of revoked invitations go; those that something was prepared for stay, as who has left. */
async function uninvited(work: Work, invitations: readonly { email: string }[]): Promise<void> {
  // Somebody may make one the manager of a department at the same moment: then that one stays.
  work.repeatOn(MANAGER);
  const rows = await work.connection.query<MemberRow & { is_named: boolean }>(
    `SELECT ${COLUMNS}, ${IS_NAMED} AS is_named FROM attendance_members AS member
      WHERE organization_id = $1 AND email = ANY ($2) AND status = 'invited' ORDER BY id FOR UPDATE OF member`,
    [work.organization_id, invitations.map(({ email }) => email.toLowerCase())],
  );
  for (const { is_named, ...before } of rows) {
    if (is_named) {
      const left_on = before.left_on ?? (await todayOf(work));
      saveMember(work, before, { ...before, status: 'left', left_on });
      continue;
    }
    work.remove(MemberModel, before.id);
    work.record(memberFacts.deleted, { before: toldOf(before), after: null });
  }
}

/** Every column that refers to members: none of its rows may name one that is removed. */
export const namingMembers: readonly (readonly [table: string, column: string])[] = [
  ['attendance_corrections', 'member_id'],
  ['attendance_day_revisions', 'member_id'],
  ['attendance_departments', 'manager_member_id'],
  ['attendance_leave_grants', 'member_id'],
  ['attendance_leave_requests', 'member_id'],
  ['attendance_opening_months', 'member_id'],
  ['attendance_overtime_requests', 'member_id'],
  ['attendance_punches', 'member_id'],
  ['attendance_records', 'member_id'],
  ['attendance_roster_days', 'member_id'],
  ['attendance_sessions', 'member_id'],
  ['attendance_submissions', 'member_id'],
  ['attendance_terms', 'member_id'],
];

/** Whether rows refer to the member. */
const IS_NAMED = `(${namingMembers
  .map(
    ([table, column]) =>
      `EXISTS (SELECT FROM ${table} AS naming WHERE naming.organization_id = $1 AND naming.${column} = member.id)`,
  )
  .join(' OR ')})`;

function insertMember(
  work: Work,
  person: Pick<MemberRow, 'user_id' | 'name' | 'email' | 'status'>,
): MemberRow {
  const at = work.now.toISOString();
  const row: MemberRow = {
    id: newId('mem', work.now),
    ...person,
    employee_code: null,
    department_id: null,
    position_id: null,
    hired_on: null,
    left_on: null,
    slack_user_id: null,
    external_id: null,
    metadata: {},
    created_at: at,
    updated_at: at,
  };
  work.insert(MemberModel, columnsOf(row));
  work.record(memberFacts.created, { before: null, after: toldOf(row) });
  return row;
}
