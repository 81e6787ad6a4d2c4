import { Failure, notFound } from '../../../kernel/failure.ts';
import type { Role } from '../../../kernel/scope.ts';
import type { Work } from '../../../kernel/work.ts';
import { revokeKeysOf } from '../api-keys/operations.ts';
import type { PeopleFollowers } from '../followers.ts';
import { revokeInvitationsBeyond } from '../invitations/revoke.ts';
import { type MemberRow, memberOf, peopleByIds } from './queries.ts';
import { belowOnly, mayGive } from './rank.ts';
import { type Member, MemberModel, type MemberPatch, memberFacts } from './record.ts';

/**
 * Gives a member another role; their pending invitations that it may not give are revoked. Errors: `not_found` (also for who has left), `last_owner`, `insufficient_scope`,
 * `precondition_failed`.
 */
export async function updateMember(
  work: Work,
  id: string,
  patch: MemberPatch,
  followers: PeopleFollowers,
): Promise<Member> {
  const { before, acting, owners } = await lockMember(work, id);
  work.precondition(before);
  const role = patch.role ?? before.role;
  const after: Member = { ...before, role, updated_at: work.touch(before) };
  if (work.isSame(memberFacts.updated, before, after)) return before;
  requireAbove(work.actor.role, isOwn(work, before), before.role, role);
  if (before.role === 'owner' && owners === 1) throw new Failure('last_owner');
  requireAbove(presentRole(acting), isOwn(work, before), before.role, role);
  work.update(MemberModel, id, { role, updated_at: after.updated_at });
  work.record(memberFacts.updated, { before, after });
  await revokeInvitationsBeyond(work, before.user_id, role, followers);
  return after;
}

/**
 * Takes a member out of the organization: they stay as a row with `left_at`, their keys and pending invitations are
 * revoked, and their sessions that act here end. Everybody may leave; others are removed by who stands above them, and
 * by the service itself when their time is over.
 * Errors: `not_found`, `last_owner`, `insufficient_scope`, `precondition_failed`.
 */
export async function removeMember(work: Work, id: string, followers: PeopleFollowers): Promise<void> {
  const { before, acting, owners } = await lockMember(work, id);
  work.precondition(before);
  const isFree = isOwn(work, before) || work.actor.type === 'system';
  if (!isFree) requireAbove(work.actor.role, false, before.role, before.role);
  if (before.role === 'owner' && owners === 1) throw new Failure('last_owner');
  if (!isFree) requireAbove(presentRole(acting), false, before.role, before.role);
  const left_at = work.now.toISOString();
  const after: Member = { ...before, left_at, updated_at: work.touch(before) };
  work.update(MemberModel, id, { left_at, updated_at: after.updated_at });
  work.record(memberFacts.deleted, { before, after });
  await revokeInvitationsBeyond(work, before.user_id, null, followers);
  await revokeKeysOf(work, before.user_id);
  work.run('DELETE FROM sessions WHERE user_id = $2 AND active_organization_id = $1', [
    work.organization_id,
    before.user_id,
  ]);
  work.run('UPDATE users SET last_organization_id = NULL WHERE id = $2 AND last_organization_id = $1', [
    work.organization_id,
    before.user_id,
  ]);
  for (const follower of followers) await follower.left(work, after);
}

type Locked = { before: Member; acting: MemberRow | undefined; owners: number };

/**
 * The member, who acts, and every owner, locked in the order of their IDs: of two requests that take the last two
 * owners away, the second one waits and then sees what the first has left.
 */
async function lockMember(work: Work, id: string): Promise<Locked> {
  const rows = await work.connection.query<MemberRow>(
    `SELECT id, user_id, role, joined_at, left_at, created_at, updated_at FROM members
      WHERE organization_id = $1 AND left_at IS NULL AND (id = $2 OR user_id = $3 OR role = 'owner')
      ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, id, work.actor.user_id],
  );
  const row = rows.find((each) => each.id === id);
  if (!row) throw notFound();
  const before = memberOf(row, (await peopleByIds(work, [row.user_id]))(row.user_id));
  const acting = rows.find((each) => each.user_id === work.actor.user_id);
  return { before, acting, owners: rows.filter(({ role }) => role === 'owner').length };
}

function isOwn(work: Work, member: Member): boolean {
  return member.user_id === work.actor.user_id;
}

/** The role that the acting person has by now: others may have changed or removed them while this request waited. */
function presentRole(acting: MemberRow | undefined): Role {
  if (!acting) throw new Failure('invalid_credentials');
  return acting.role;
}

/** An owner may change everybody; an admin themselves and who stands below, and only to what stands below. */
function requireAbove(role: Role | null, is_own: boolean, from: Role, to: Role): void {
  if (role === 'owner') return;
  if (role === 'admin' && (is_own || mayGive(role, from)) && mayGive(role, to)) return;
  throw belowOnly(role ?? 'member');
}
