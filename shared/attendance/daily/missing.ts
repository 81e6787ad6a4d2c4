import type { Work } from '../../kernel/work.ts';
import { type MemberRow, memberOf, peopleByIds } from '../../platform/access/members/queries.ts';
import { attendancePeople } from '../members/following.ts';

const TOGETHER = 100;

/**
 * Makes the members of memberships and open invitations that have none: the release before, which knows no attendance, may
 * have made them while it ran beside this one. Some at a time; answers whether there may be more.
 */
export async function addMissingMembers(work: Work): Promise<boolean> {
  const memberships = await work.connection.query<MemberRow>(
    `SELECT membership.id, membership.user_id, role, joined_at, left_at, membership.created_at, membership.updated_at
       FROM members AS membership
      WHERE membership.organization_id = $1 AND left_at IS NULL AND NOT EXISTS (
        SELECT FROM attendance_members AS own
         WHERE own.organization_id = $1 AND own.user_id = membership.user_id)
      ORDER BY membership.id LIMIT ${TOGETHER} FOR NO KEY UPDATE OF membership`,
    [work.organization_id],
  );
  const personOf = await peopleByIds(
    work,
    memberships.map(({ user_id }) => user_id),
  );
  for (const row of memberships) await attendancePeople.joined(work, memberOf(row, personOf(row.user_id)));
  await work.flush();
  const invitations = await work.connection.query<{ id: string; email: string }>(
    `SELECT invitation.id, invitation.email FROM invitations AS invitation
      WHERE organization_id = $1 AND status = 'pending' AND expires_at > $2 AND email IS NOT NULL AND NOT EXISTS (
        SELECT FROM attendance_members AS own
         WHERE own.organization_id = $1 AND own.email = lower(invitation.email))
      ORDER BY invitation.id LIMIT ${TOGETHER} FOR UPDATE OF invitation`,
    [work.organization_id, work.now.toISOString()],
  );
  await attendancePeople.invited(work, invitations);
  return memberships.length === TOGETHER || invitations.length === TOGETHER;
}
