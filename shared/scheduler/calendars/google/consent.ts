import { hash, randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { Failure } from '../../../kernel/failure.ts';
import { says } from '../../../kernel/language.ts';
import { freeText } from '../../../kernel/schema.ts';
import type { Work } from '../../../kernel/work.ts';
import type { GoogleClient, OutsideServices } from '../../../platform/outside/open.ts';
import { CalendarFailure } from '../provider.ts';
import type { ListedCalendar } from '../record.ts';
import { addressesOf, textIn } from './api.ts';
import { authorizedCalls } from './calls.ts';
import { calendarsBy } from './provider.ts';
import { askForTokens, tokensIn, tokenText } from './tokens.ts';

/** Milliseconds within which somebody has to consent. */
const LIFETIME = 10 * 60_000;

const CALENDAR_SCOPES = ['calendar.events', 'calendar.calendarlist.readonly', 'calendar.freebusy'].map(
  (name) => `https://www.googleapis.com/auth/${name}`,
);

/** Where Google sends people back. */
export const CALLBACK_PATH = '/api/v1/scheduler/calendars/callback/google';

/** A path of this service; `//x`, `/\x` and `/a/..//x` would lead elsewhere. */
export function pathOfOurs(): z.ZodType<string> {
  return freeText(2_000)
    .refine(isOurs, {
      params: { code: 'invalid_value' },
      error: says({
        en: 'must be a path of this service, such as /settings',
        ja: 'にはこのサービスのパス（/settings など）を指定してください',
      }),
    })
    .meta({ examples: ['/settings'] });
}

function isOurs(path: string): boolean {
  if (!path.startsWith('/') || !URL.canParse(path, OURS)) return false;
  const { origin, pathname } = new URL(path, OURS);
  return origin === OURS && !pathname.startsWith('//');
}

/** Any origin: a path that stays there stays with this service too. */
const OURS = 'http://service';

/** The client of this service at Google. Errors: `provider_not_configured`. */
export function requireGoogle({ google }: Pick<OutsideServices, 'google'>): GoogleClient {
  if (!google) throw new Failure('provider_not_configured');
  return google;
}

/** Begins a consent of who asks: answers where they give it, and until when. Errors: `provider_not_configured`. */
export function beginConsent(
  work: Work,
  services: OutsideServices,
  return_to: string | null,
): { authorization_url: string; expires_at: string } {
  const client = requireGoogle(services);
  const state = `${work.organization_id}.${randomBytes(32).toString('base64url')}`;
  const verifier = randomBytes(32).toString('base64url');
  const expires_at = new Date(work.now.getTime() + LIFETIME).toISOString();
  const { user_id } = work.actor;
  work.insert(
    { tableName: 'scheduler_consents' },
    { state_hash: hashOf(state), user_id, verifier, return_to, expires_at },
  );
  work.nothingChanged();
  const asked = new URLSearchParams({
    client_id: client.id,
    redirect_uri: `${services.base_url}${CALLBACK_PATH}`,
    response_type: 'code',
    scope: ['openid', 'email', ...CALENDAR_SCOPES].join(' '),
    access_type: 'offline',
    prompt: 'consent',
    state,
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
  });
  return { authorization_url: `${addressesOf(client).consent}?${asked}`, expires_at };
}

/** A consent that was asked for here, by the member who comes back. */
export type Consent = { user_id: string; verifier: string; return_to: string | null };

/**
 * Takes the consent of a state, once. Errors: `invalid_state` for one that is unknown, over or used; `session_required` for
 * that of somebody else.
 */
export async function takeConsent(work: Work, state: string): Promise<Consent> {
  const { connection, organization_id, actor, now } = work;
  const values = [organization_id, hashOf(state)];
  const [found] = await connection.query<Consent & { expires_at: string }>(
    `SELECT user_id, verifier, return_to, expires_at FROM scheduler_consents
      WHERE organization_id = $1 AND state_hash = $2 FOR UPDATE`,
    values,
  );
  if (!found) throw new Failure(organizationOf(state) === organization_id ? 'invalid_state' : otherOf(state));
  if (found.user_id !== actor.user_id) throw new Failure('session_required');
  work.run('DELETE FROM scheduler_consents WHERE organization_id = $1 AND state_hash = $2', values);
  if (Date.parse(found.expires_at) <= now.getTime()) throw new Failure('invalid_state');
  const { expires_at: _, ...consent } = found;
  return consent;
}

/** A state of another organization is asked to come back in a session of that one. */
function otherOf(state: string): 'session_required' | 'invalid_state' {
  return organizationOf(state).startsWith('org_') ? 'session_required' : 'invalid_state';
}

function organizationOf(state: string): string {
  return state.split('.')[0]!;
}

function hashOf(state: string): string {
  return hash('sha256', state, 'hex');
}

/** An account of Google, as its owner has just consented to. */
export type ConsentedAccount = {
  account: string;
  account_key: string;
  calendars: readonly ListedCalendar[];
  secret: string;
};

/**
 * Exchanges the code of a consent, and reads which account and calendars it is about. Errors: `missing_scope`,
 * `provider_error`.
 */
export async function exchangeCode(
  services: OutsideServices,
  { code, verifier, now }: { code: string; verifier: string; now: Date },
): Promise<ConsentedAccount> {
  const client = requireGoogle(services);
  try {
    const answered = await askForTokens(services, client, {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: `${services.base_url}${CALLBACK_PATH}`,
    });
    const granted = (textIn(answered, 'scope') ?? '').split(' ');
    if (!CALENDAR_SCOPES.every((scope) => granted.includes(scope))) throw new Failure('missing_scope');
    const tokens = tokensIn(answered, now, null);
    const { sub, email } = identityIn(textIn(answered, 'id_token'), client);
    const call = authorizedCalls({ services }, client, { accessToken: async () => tokens.access_token });
    const calendars = await calendarsBy(call);
    return { account: email, account_key: sub, calendars, secret: tokenText(tokens) };
  } catch (error) {
    if (!(error instanceof CalendarFailure)) throw error;
    throw new Failure('provider_error', { cause: error });
  }
}

/**
 * Whose account it is. The token came from Google itself over TLS, so its signature proves nothing more (OpenID Connect Core,
 * 3.1.3.7). Errors: `CalendarFailure` `broken`.
 */
function identityIn(id_token: string | null, client: GoogleClient): { sub: string; email: string } {
  const claims = claimsOf(id_token);
  const [sub, email] = [textIn(claims, 'sub'), textIn(claims, 'email')];
  const { aud } = claims;
  const isOurs = Array.isArray(aud) ? aud.includes(client.id) : aud === client.id;
  if (sub === null || email === null || !isOurs) throw new CalendarFailure('broken', 'no_identity');
  return { sub, email };
}

function claimsOf(id_token: string | null): Record<string, unknown> {
  try {
    const body = Buffer.from(id_token?.split('.')[1] ?? '', 'base64url').toString('utf8');
    return (JSON.parse(body) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}
