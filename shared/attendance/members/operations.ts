import { Failure, invalid, unknownReference } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import { sentOrKept, sentOrNull } from '../../kernel/record-fields.ts';
import type { Work } from '../../kernel/work.ts';
import type { PeopleFollowers } from '../../platform/access/followers.ts';
import { updateMember as updateMembership } from '../../platform/access/members/operations.ts';
import type { MemberPatch as MembershipPatch } from '../../platform/access/members/record.ts';
import { todayOf } from '../settings/queries.ts';
import { requireManagement } from '../sight/people.ts';
import { requireClosedEmployment } from '../submissions/employment.ts';
import { lockMember, memberById, shownMember } from './queries.ts';
import {
  type AttendanceMember,
  type MemberInput,
  MemberModel,
  type MemberPatch,
  memberFacts,
} from './record.ts';
import { columnsOf, type MemberRow, toldOf } from './row.ts';

const FIELDS = [
  'name',
  'email',
  'employee_code',
  'department_id',
  'position_id',
  'hired_on',
  'left_on',
  'slack_user_id',
  'external_id',
] as const;

/** Adds a person without an account. Errors: `role_required`, `validation_failed`, `unknown_reference`, `already_exists`. */
export async function createMember(work: Work, input: MemberInput): Promise<AttendanceMember> {
  requireManagement(work);
  const at = work.now.toISOString();
  const row: MemberRow = {
    id: newId('mem', work.now),
    user_id: null,
    ...sentOrNull(input, FIELDS),
    name: input.name,
    status: statusOf(input.left_on ?? null, await todayOf(work)),
    metadata: metadataAfter({}, input.metadata),
    created_at: at,
    updated_at: at,
  };
  requireOrder(row);
  work.insert(MemberModel, columnsOf(row));
  work.record(memberFacts.created, { before: null, after: toldOf(row) });
  return shownMember(work, row);
}

/**
 * Changes the fields sent. A new last day of somebody without an account says whether they have left; a membership ends
 * after it by itself. Errors: `not_found`, `role_required`, `precondition_failed`, `email_of_account`, `month_locked` for a
 * first or last day that changes a closed period, those of making one.
 */
export async function updateMember(work: Work, id: string, patch: MemberPatch): Promise<AttendanceMember> {
  await memberById(work, id);
  requireManagement(work);
  const before = await lockMember(work, id);
  work.precondition(before);
  const changed: MemberRow = {
    ...before,
    ...sentOrKept(patch, before, FIELDS),
    metadata: metadataAfter(before.metadata, patch.metadata),
  };
  if (changed.email !== before.email && (before.user_id !== null || before.status === 'invited')) {
    throw new Failure('email_of_account');
  }
  if (before.user_id === null && before.status !== 'invited' && changed.left_on !== before.left_on) {
    changed.status = statusOf(changed.left_on, await todayOf(work));
  }
  requireOrder(changed);
  await requireClosedEmployment(work, before, changed);
  if (work.isSame(memberFacts.updated, toldOf(before), toldOf(changed))) return shownMember(work, before);
  return shownMember(work, saveMember(work, before, changed));
}

/** Keeps what a change made of a locked member, and says so. */
export function saveMember(work: Work, before: MemberRow, changed: MemberRow): MemberRow {
  const after = { ...changed, updated_at: work.touch(before) };
  const { id, created_at, ...columns } = columnsOf(after) as { id: string; created_at: string };
  work.update(MemberModel, id, columns);
  work.record(memberFacts.updated, { before: toldOf(before), after: toldOf(after) });
  return after;
}

/**
 * Gives the membership of a member another role. Errors: `unknown_reference`, `role_required`, `no_account`, and those of
 * a change of membership.
 */
export async function updateRole(
  work: Work,
  { member_id, role }: { member_id: string; role: NonNullable<MembershipPatch['role']> },
  followers: PeopleFollowers,
): Promise<AttendanceMember> {
  requireManagement(work);
  const membership = await membershipOf(work, member_id);
  await updateMembership(work, membership, { role }, followers);
  await work.flush();
  return memberById(work, member_id);
}

async function membershipOf(work: Work, member_id: string): Promise<string> {
  const [found] = await work.connection.query<{ membership_id: string | null }>(
    `SELECT membership.id AS membership_id FROM attendance_members AS member
       LEFT JOIN members AS membership ON membership.organization_id = member.organization_id
        AND membership.user_id = member.user_id AND membership.left_at IS NULL
      WHERE member.organization_id = $1 AND member.id = $2`,
    [work.organization_id, member_id],
  );
  if (!found) throw unknownReference('/member_id', member_id);
  if (found.membership_id === null) throw new Failure('no_account');
  return found.membership_id;
}

function statusOf(left_on: string | null, today: string): 'active' | 'left' {
  return left_on !== null && left_on < today ? 'left' : 'active';
}

/** Errors: `validation_failed` at /left_on for a last day before the first. */
function requireOrder({ hired_on, left_on }: Pick<MemberRow, 'hired_on' | 'left_on'>): void {
  if (hired_on === null || left_on === null || left_on >= hired_on) return;
  throw invalid('/left_on', 'before_start', {
    en: 'left_on must not be before hired_on',
    ja: 'left_on は hired_on 以降の日付で指定してください',
  });
}
