import { newId } from '../../../kernel/id.ts';
import type { Role } from '../../../kernel/scope.ts';
import type { Work } from '../../../kernel/work.ts';
import type { PeopleFollowers } from '../followers.ts';
import { type MemberRow, memberOf, peopleByIds } from './queries.ts';
import { type Member, MemberModel, memberFacts } from './record.ts';

/**
 * Makes a user a member of the work's organization. Who was one before comes back as the same member; who is one
 * already keeps their role.
 */
export async function addMember(
  work: Work,
  user_id: string,
  role: Role,
  followers: PeopleFollowers,
): Promise<Member> {
  const { member, has_joined } = await enterMember(work, user_id, role);
  if (has_joined) for (const follower of followers) await follower.joined(work, member);
  return member;
}

async function enterMember(
  work: Work,
  user_id: string,
  role: Role,
): Promise<{ member: Member; has_joined: boolean }> {
  await work.flush();
  const person = (await peopleByIds(work, [user_id]))(user_id);
  const earlier = await memberToRejoin(work, user_id);
  const now = work.now.toISOString();
  if (!earlier) {
    const made = { id: newId('mbr', work.now), user_id, role, joined_at: now, left_at: null };
    const row: MemberRow = { ...made, created_at: now, updated_at: now };
    const member = memberOf(row, person);
    work.insert(MemberModel, row);
    work.record(memberFacts.created, { before: null, after: member });
    return { member, has_joined: true };
  }
  const before = memberOf(earlier, person);
  if (earlier.left_at === null) return { member: before, has_joined: false };
  const after: Member = { ...before, role, joined_at: now, left_at: null, updated_at: work.touch(before) };
  const { joined_at, left_at, updated_at } = after;
  work.update(MemberModel, after.id, { role, joined_at, left_at, updated_at });
  work.record(memberFacts.updated, { before, after });
  return { member: after, has_joined: true };
}

async function memberToRejoin(work: Work, user_id: string): Promise<MemberRow | undefined> {
  const [row] = await work.connection.query<MemberRow>(
    `SELECT id, user_id, role, joined_at, left_at, created_at, updated_at FROM members
      WHERE organization_id = $1 AND user_id = $2 FOR NO KEY UPDATE`,
    [work.organization_id, user_id],
  );
  return row;
}
