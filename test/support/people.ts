import { randomBytes } from 'node:crypto';
import type { Role } from '../../shared/kernel/scope.ts';
import type { TestApp } from './app.ts';
import { type Client, clientOf, type Reply } from './client.ts';
import { linkInMail } from './letters.ts';

/** Somebody who signed up, with the client of their session. */
export type Person = Client & { user_id: string; email: string; name: string; cookie: string };

export const PASSWORD = 'correct horse battery';

/** The session cookie that an answer sets, as a browser sends it back. */
export function cookieOf(reply: Reply): string {
  const cookies = reply.headers.getSetCookie().filter((cookie) => cookie.includes('session_token='));
  return cookies.map((cookie) => cookie.split(';')[0]).join('; ');
}

/** The cookie by which the browser of an answer is known later, as it sends it back. */
export function browserOf(reply: Reply): string {
  const cookie = reply.headers.getSetCookie().find((text) => text.startsWith('service.browser='));
  if (!cookie) throw new Error(`The answer makes no browser known: ${reply.status} ${reply.text}`);
  return cookie.split(';')[0]!;
}

/** The header of a client address that nobody had before, for an app that trusts a proxy on this machine. */
export function fromAnywhere(): { 'X-Forwarded-For': string } {
  return {
    'X-Forwarded-For': `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`,
  };
}

/** A client with somebody's session cookie. */
export function withCookie(app: TestApp, cookie: string): Client {
  return clientOf(app.base_url, { Cookie: cookie });
}

/** An address that nobody had before. */
export function newEmail(): string {
  return `p${randomBytes(8).toString('hex')}@example.com`;
}

/** Signs up. */
export async function newPerson(
  app: TestApp,
  { email = newEmail(), name = '試験 花子', password = PASSWORD } = {},
): Promise<Person> {
  const reply = await app.anonymous.post('/auth/sign-up/email', { name, email, password });
  if (reply.status !== 200) throw new Error(`Nobody signed up: ${reply.text}`);
  const cookie = cookieOf(reply);
  return { ...withCookie(app, cookie), user_id: reply.body.user.id, email, name, cookie };
}

/** Signs up and creates an organization. */
export async function newOwner(app: TestApp): Promise<Person & { organization_id: string }> {
  const person = await newPerson(app);
  const reply = await person.post('/organizations', { name: 'Test Trading' });
  if (reply.status !== 201) throw new Error(`No organization was created: ${reply.text}`);
  return { ...person, organization_id: reply.body.organization.id };
}

/** Invites somebody, opens the mail and accepts; answers them and their ID as a member. */
export async function newMember(
  app: TestApp,
  inviter: Client,
  role: Role,
  email = newEmail(),
): Promise<Person & { member_id: string }> {
  const name = '試験 次郎';
  const invited = await inviter.post('/invitations', { email, role });
  if (invited.status !== 201) throw new Error(`Nobody was invited: ${invited.text}`);
  const token = await linkInMail(app, 'invitation', invited.body.invitation.id);
  const reply = await app.anonymous.post('/invitations/accept', { token, name, password: PASSWORD });
  if (reply.status !== 200) throw new Error(`Nobody joined: ${reply.text}`);
  const cookie = cookieOf(reply);
  const { member } = reply.body;
  return { ...withCookie(app, cookie), user_id: member.user_id, email, name, cookie, member_id: member.id };
}
