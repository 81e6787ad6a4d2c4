import { createHmac, randomBytes } from 'node:crypto';
import { DAY } from '../../shared/kernel/days.ts';
import { isSameSecret } from '../../shared/platform/access/same-secret.ts';
import { accountByEmail } from '../../shared/platform/access/users/queries.ts';
import type { Steps } from '../http/steps.ts';

/** Days that a browser is known after its last sign-in. */
const KNOWN_DAYS = 180;

/** Accounts that one browser is known for; the one that signed in longest ago is forgotten. */
const MOST_ACCOUNTS = 5;

/** One account's entry of the cookie: a random ID of the browser, when it was made, and the signature. */
type Entry = { text: string; id: string; issued_at: number; signature: string };

/** The name of the cookie; browsers keep the prefixed one to https and to this host. */
function cookieName(base_url: string): string {
  return base_url.startsWith('https:') ? '__Host-service.browser' : 'service.browser';
}

/**
 * The ID of the browser that the request comes from, where the account with this address has signed in with it
 * before; else null. Costs a query only where the cookie is there.
 */
export async function knownBrowser(steps: Steps, email: string): Promise<string | null> {
  const entries = entriesOf(steps);
  if (entries.length === 0) return null;
  const password_hash = await passwordHashOf(steps, email);
  return entries.find((entry) => isOf(steps, entry, email, password_hash))?.id ?? null;
}

/**
 * The Set-Cookie header that makes the browser known to the account which has just signed in. The signature covers the
 * present password: after it was changed or reset, no earlier browser is known.
 */
export async function rememberBrowser(steps: Steps, email: string): Promise<string> {
  const { settings } = steps.context;
  const password_hash = await passwordHashOf(steps, email);
  const entries = entriesOf(steps);
  const known = entries.find((entry) => isOf(steps, entry, email, password_hash));
  const id = known?.id ?? randomBytes(16).toString('base64url');
  const issued = steps.caller.now.getTime().toString(36);
  const signature = signatureOf(steps, { email, password_hash, id, issued });
  const others = entries.filter((entry) => entry !== known).map(({ text }) => text);
  const value = [`${id}.${issued}.${signature}`, ...others].slice(0, MOST_ACCOUNTS).join('~');
  const secure = settings.baseUrl.startsWith('https:') ? ['Secure'] : [];
  return [
    `${cookieName(settings.baseUrl)}=${value}`,
    `Max-Age=${(KNOWN_DAYS * DAY) / 1000}`,
    'Path=/',
    'HttpOnly',
    ...secure,
    'SameSite=Lax',
  ].join('; ');
}

function entriesOf({ context, headers, caller }: Steps): Entry[] {
  const begin = `${cookieName(context.settings.baseUrl)}=`;
  const cookies = (headers.get('Cookie') ?? '').split(';').map((cookie) => cookie.trim());
  const value = cookies.find((cookie) => cookie.startsWith(begin))?.slice(begin.length) ?? '';
  const entries = value.split('~').slice(0, MOST_ACCOUNTS).map(entryOf);
  const oldest = caller.now.getTime() - KNOWN_DAYS * DAY;
  return entries.filter((entry) => entry !== null).filter(({ issued_at }) => issued_at > oldest);
}

function entryOf(text: string): Entry | null {
  const [, id, issued, signature] = /^([\w-]{22})\.([0-9a-z]{1,11})\.([\w-]{43})$/.exec(text) ?? [];
  if (!id || !issued || !signature) return null;
  return { text, id, issued_at: Number.parseInt(issued, 36), signature };
}

function isOf(steps: Steps, entry: Entry, email: string, password_hash: string): boolean {
  const { id, issued_at, signature } = entry;
  const expected = signatureOf(steps, { email, password_hash, id, issued: issued_at.toString(36) });
  return isSameSecret(signature, expected);
}

type Signed = { email: string; password_hash: string; id: string; issued: string };

function signatureOf({ context }: Steps, { email, password_hash, id, issued }: Signed): string {
  const text = ['known browser', email, password_hash, id, issued].join('\n');
  return createHmac('sha256', context.settings.authSecret).update(text).digest('base64url');
}

async function passwordHashOf(steps: Steps, email: string): Promise<string> {
  const account = await steps.read(({ connection }) => accountByEmail(connection, email));
  return account?.password_hash ?? '';
}
