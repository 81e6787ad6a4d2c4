import { Failure } from '../../../kernel/failure.ts';
import type { Work } from '../../../kernel/work.ts';
import type { PeopleFollowers } from '../followers.ts';
import { addMember } from '../members/joining.ts';
import type { Member } from '../members/record.ts';
import { organizationById } from '../organizations/queries.ts';
import type { Organization } from '../organizations/record.ts';
import {
  makeRoomForSession,
  type NewSession,
  openSessionIn,
  placeSession,
  rememberOrganization,
} from '../sessions/operations.ts';
import { createUser, markVerified, requirePassword, setPassword } from '../users/operations.ts';
import { useInvitation } from './operations.ts';

/** A session to open after the answer. */
type Opening = { session: Omit<NewSession, 'user_id'> };

/**
 * Who accepts, as proven before: a signed-in person with their session; a person whose password was right; or the
 * holder of the mail who chooses a password, for a new account or for one whose address nobody has confirmed yet (its
 * present password may be that of somebody else who signed up with this address).
 */
export type Accepting = { user_id: string } & (
  | { by: 'session'; session_id: string }
  | ({ by: 'password'; password_hash: string } & Opening)
  | ({ by: 'claim'; password_hash: string } & Opening)
  | ({ by: 'sign_up'; password_hash: string; name: string; locale: 'ja' | 'en' } & Opening)
);

/**
 * Makes the invited person a member, verifies their address, and lets a session act in the organization, all in the
 * work's transaction. Of two that accept the same invitation the second one waits and is refused.
 * Errors: `expired`, `invalid_transition`, `wrong_account`, `invalid_credentials`, `already_exists`.
 */
export async function acceptInvitation(
  work: Work,
  invitation_id: string,
  accepting: Accepting,
  followers: PeopleFollowers,
): Promise<{ organization: Organization; member: Member }> {
  const { user_id } = accepting;
  const { email, role } = await useInvitation(work, invitation_id, user_id);
  await prepareAccount(work, accepting, email);
  await work.flush();
  const [user] = await work.connection.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [
    user_id,
  ]);
  if (user?.email !== email) throw new Failure('wrong_account');
  if (accepting.by !== 'session') await makeRoomForSession(work, user_id);
  markVerified(work, user_id);
  const member = await addMember(work, user_id, role, followers);
  if (accepting.by === 'session') {
    await placeSession(work, accepting.session_id, user_id, work.organization_id);
  } else {
    rememberOrganization(work, user_id, work.organization_id);
    openSessionIn(work, { user_id, ...accepting.session }, work.organization_id);
  }
  return { organization: await organizationById(work.connection, work.organization_id), member };
}

async function prepareAccount(work: Work, accepting: Accepting, email: string): Promise<void> {
  const { user_id } = accepting;
  switch (accepting.by) {
    case 'session':
      return;
    case 'password':
      return requirePassword(work, user_id, accepting.password_hash);
    case 'claim':
      await requireUnverified(work, user_id);
      return setPassword(work, user_id, accepting.password_hash, null);
    case 'sign_up': {
      const { name, locale, password_hash } = accepting;
      return createUser(work, { id: user_id, name, email, locale, password_hash, email_verified: true });
    }
  }
}

async function requireUnverified(work: Work, user_id: string): Promise<void> {
  const found = await work.connection.query(
    'SELECT 1 FROM users WHERE id = $1 AND NOT email_verified FOR UPDATE',
    [user_id],
  );
  if (found.length === 0) throw new Failure('invalid_credentials');
}
