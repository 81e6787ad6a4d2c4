import { Failure } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import type { PeopleFollowers } from '../../platform/access/followers.ts';
import { removeMember } from '../../platform/access/members/operations.ts';
import { saveMember } from '../members/operations.ts';
import { type MemberRow, memberColumns } from '../members/row.ts';
import { todayOf } from '../settings/queries.ts';

type Leaving = { id: string; membership_id: string | null };

/** The next of those whose last day is over, behind `after`; `membership_id` null: without an account. */
export async function nextLeaving(work: Work, after: string): Promise<Leaving | null> {
  const [found] = await work.connection.query<Leaving>(
    `SELECT member.id, membership.id AS membership_id FROM attendance_members AS member
       LEFT JOIN members AS membership ON membership.organization_id = member.organization_id
        AND membership.user_id = member.user_id AND membership.left_at IS NULL
      WHERE member.organization_id = $1 AND member.left_on < $2 AND member.status <> 'left' AND member.id > $3
      ORDER BY member.id LIMIT 1`,
    [work.organization_id, await todayOf(work), after],
  );
  return found ?? null;
}

/**
 * Ends the membership of somebody whose last day is over, or notes that a person without an account has left. The last
 * owner stays: who is to own the organization is for people to say.
 */
export async function endMembership(
  work: Work,
  { id, membership_id }: Leaving,
  followers: PeopleFollowers,
): Promise<void> {
  if (membership_id !== null) {
    try {
      await removeMember(work, membership_id, followers);
    } catch (error) {
      // Nothing was written before these refusals: the last owner stays, and who was removed meanwhile is gone.
      if (!(error instanceof Failure) || !STAYS.has(error.code)) throw error;
      work.nothingChanged();
    }
    return;
  }
  const [row] = await work.connection.query<MemberRow>(
    `SELECT ${memberColumns.join(', ')} FROM attendance_members
      WHERE organization_id = $1 AND id = $2 AND user_id IS NULL FOR NO KEY UPDATE`,
    [work.organization_id, id],
  );
  if (row?.left_on && row.left_on < (await todayOf(work)) && row.status !== 'left') {
    saveMember(work, row, { ...row, status: 'left' });
  }
}

const STAYS: ReadonlySet<string> = new Set(['last_owner', 'not_found']);
