import { peopleFollowers } from '../../shared/domains.ts';
import { Failure, type FieldError, invalidAll, notFound } from '../../shared/kernel/failure.ts';
import { newId } from '../../shared/kernel/id.ts';
import type { Text } from '../../shared/kernel/language.ts';
import type { Reader } from '../../shared/kernel/reader.ts';
import { type Accepting, acceptInvitation } from '../../shared/platform/access/invitations/accepting.ts';
import { requireOpen } from '../../shared/platform/access/invitations/operations.ts';
import { statusAt } from '../../shared/platform/access/invitations/queries.ts';
import type { Member } from '../../shared/platform/access/members/record.ts';
import type { Organization } from '../../shared/platform/access/organizations/record.ts';
import { hashPassword, isPasswordOf, newPassword } from '../../shared/platform/access/passwords.ts';
import { personActor } from '../../shared/platform/access/sessions/operations.ts';
import { type Account, accountByEmail, accountOfUser } from '../../shared/platform/access/users/queries.ts';
import type { Link } from '../../shared/platform/links/links.ts';
import {
  invitationLinks,
  invitationOfLink,
  type LinkedInvitation,
} from '../../shared/platform/mailer/invitation-tokens.ts';
import { asGuess } from '../auth/guesses.ts';
import { rememberBrowser } from '../auth/known-browser.ts';
import { newSessionToken, sessionExpiry, setSessionCookie } from '../auth/session-cookie.ts';
import { Answer } from '../http/declaration.ts';
import { openLink } from '../http/open-link.ts';
import type { Steps } from '../http/steps.ts';

export type AcceptInput = { name?: string; password?: string; locale: 'ja' | 'en' };
type Client = { user_agent: string | null; session_id: string | null };
type Accepted = { organization: Organization; member: Member };

/**
 * Accepts an invitation for the person of the session, or signs in or up with what is sent. Errors: `expired`,
 * `invalid_transition`, `wrong_account`, `validation_failed`, `invalid_credentials`.
 */
export async function accept(
  steps: Steps,
  client: Client,
  link: Link,
  input: AcceptInput,
): Promise<Answer<Accepted>> {
  const invitation = await openInvitation(steps, link);
  const { organization_id, invitation_id } = invitation;
  const accepting = client.session_id
    ? await asSignedIn(steps, client.session_id, invitation)
    : await asProven(steps, client, input, invitation);
  const actor = personActor(accepting.user_id);
  const accepted = await steps.write({ organization_id, actor }, (work) =>
    acceptInvitation(work, invitation_id, accepting, peopleFollowers),
  );
  if (accepting.by === 'session') return new Answer(200, accepted);
  const cookies = [
    setSessionCookie(steps.context.settings, accepting.session.token),
    await rememberBrowser(steps, invitation.email),
  ];
  return new Answer(200, accepted, { 'Set-Cookie': cookies });
}

/** The link that a caller sends in the body of a request. Errors: those of `openLink`. */
export function openInvitationLink({ context, caller }: Steps, token: string): Promise<Link> {
  const ip_address = caller.ip_address ?? '';
  return openLink(context, { purpose: invitationLinks, token, ip_address, is_read: false });
}

/** The invitation of a link, still open. Errors: `not_found`, `expired`, `invalid_transition`. */
export function openInvitation(steps: Steps, link: Link): Promise<LinkedInvitation> {
  return steps.read((reader) => requireOpenInvitation(reader, link));
}

/** As `openInvitation`, with a reader. */
export async function requireOpenInvitation(
  { connection, now }: Reader,
  link: Link,
): Promise<LinkedInvitation> {
  const found = await invitationOfLink(connection, link);
  if (!found) throw notFound();
  requireOpen({ status: statusAt(found, now) });
  return found;
}

async function asSignedIn(
  steps: Steps,
  session_id: string,
  invitation: LinkedInvitation,
): Promise<Accepting> {
  const user_id = steps.caller.actor.user_id!;
  const account = await steps.read(({ connection }) => accountOfUser(connection, user_id));
  if (account?.email !== invitation.email) throw new Failure('wrong_account');
  return { by: 'session', user_id, session_id };
}

async function asProven(
  steps: Steps,
  client: Client,
  input: AcceptInput,
  { email }: LinkedInvitation,
): Promise<Accepting> {
  const { now } = steps.caller;
  const account = await steps.read(({ connection }) => accountByEmail(connection, email));
  const { name, password } = credentialsIn(input, account);
  const session = {
    token: newSessionToken(),
    expires_at: sessionExpiry(now),
    user_agent: client.user_agent,
  };
  if (!account) {
    const user_id = newId('usr', now);
    const password_hash = await hashPassword(password);
    return { by: 'sign_up', user_id, password_hash, name, locale: input.locale, session };
  }
  const { user_id } = account;
  // Without a confirmed address any password will do, since the holder of the mail may set one: there is nothing to guess.
  const isRight = account.email_verified
    ? await asGuess(steps, email, () => requireRight(account, password))
    : await isPasswordOf(account.password_hash, password);
  if (isRight) return { by: 'password', user_id, password_hash: account.password_hash!, session };
  return { by: 'claim', user_id, password_hash: await hashPassword(password), session };
}

/** Errors: `invalid_credentials`. */
async function requireRight({ password_hash }: Account, password: string): Promise<true> {
  if (!(await isPasswordOf(password_hash, password))) throw new Failure('invalid_credentials');
  return true;
}

/** What must be sent follows from the account: none needs a name, and one whose password may be set a good one. */
function credentialsIn(input: AcceptInput, account: Account | null): { name: string; password: string } {
  const { name = '', password = '' } = input;
  const faults: FieldError[] = [];
  const fault = (path: string, code: string, message: Text) =>
    faults.push({ in: 'body', path, code, message });
  if (!account && name === '') fault('/name', 'required', { en: 'name is required', ja: 'name は必須です' });
  if (password === '')
    fault('/password', 'required', { en: 'password is required', ja: 'password は必須です' });
  else if (!account?.email_verified && !newPassword().safeParse(password).success) {
    fault('/password', 'too_short', {
      en: 'password must have 8 characters or more',
      ja: 'password は8文字以上で入力してください',
    });
  }
  if (faults.length > 0) throw invalidAll(faults);
  return { name, password };
}
