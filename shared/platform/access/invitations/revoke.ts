import type { Role } from '../../../kernel/scope.ts';
import type { Work } from '../../../kernel/work.ts';
import type { PeopleFollowers } from '../followers.ts';
import { mayInvite } from '../members/rank.ts';
import { type InvitationRow, invitationOf, lockPendingBy } from './queries.ts';
import { type Invitation, InvitationModel, invitationFacts } from './record.ts';

/**
 * Revokes the pending invitations of somebody whose role, locked, is now `role` (null: they leave) that they may no
 * longer give. Their links answer 410 from the commit on.
 */
export async function revokeInvitationsBeyond(
  work: Work,
  user_id: string,
  role: Role | null,
  followers: PeopleFollowers,
): Promise<void> {
  const pending = await lockPendingBy(work, user_id);
  const beyond = pending.filter((row) => !mayInvite(role, row.role));
  const revoked = beyond.map((row) => ({ before: invitationOf(row, work.now), after: revokedOf(work, row) }));
  work.updateAll(
    InvitationModel,
    revoked.map(({ after: { id, status, updated_at } }) => ({ id, status, updated_at })),
  );
  for (const change of revoked) work.record(invitationFacts.deleted, change);
  if (beyond.length > 0)
    for (const follower of followers) await follower.uninvited(work, withAddress(beyond));
}

/** Those whose address is known: nobody has prepared anything for the others. */
export function withAddress<Row extends { email: string | null }>(
  rows: readonly Row[],
): (Row & { email: string })[] {
  return rows.filter((row): row is Row & { email: string } => row.email !== null);
}

/** The invitation as it is once revoked. */
export function revokedOf(work: Work, row: InvitationRow): Invitation {
  return { ...invitationOf(row, work.now), status: 'revoked', updated_at: work.touch(row) };
}
