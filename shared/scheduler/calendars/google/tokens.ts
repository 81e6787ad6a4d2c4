import { z } from 'zod';
import { inWork } from '../../../db/in-work.ts';
import type { Connection } from '../../../kernel/connection.ts';
import { systemActor } from '../../../kernel/reader.ts';
import type { Work } from '../../../kernel/work.ts';
import type { GoogleClient, OutsideServices } from '../../../platform/outside/open.ts';
import { keepSecret } from '../../../platform/secrets/store.ts';
import { CalendarFailure, type Opening } from '../provider.ts';
import { connectionSecret, openSecret } from '../secrets.ts';
import { addressesOf, callGoogle, objectIn, textIn } from './api.ts';

const Tokens = z.object({
  refresh_token: z.string(),
  access_token: z.string(),
  /** Milliseconds since 1970. */
  expires_at: z.number(),
});

/** What a connection to Google is opened with. */
export type GoogleTokens = z.output<typeof Tokens>;

/** A token is replaced a minute before it ends: a call may take that long to arrive. */
const BEFORE_ITS_END = 60_000;

/** Who waits for the token of a connection waits for one call of Google at most. */
const REFRESH_LIMIT = 10_000;

export type TokenSource = {
  /** A living access token. `refused`: the one that Google has just not taken. */
  accessToken(refused?: string): Promise<string>;
  /** What is kept now, for revoking. */
  refreshToken(): Promise<string>;
};

/** The tokens as they are kept. */
export function tokenText(tokens: GoogleTokens): string {
  return JSON.stringify(tokens);
}

/**
 * The tokens of a connection. One of all processes refreshes at a time: the others wait for it, and use what it got.
 * Errors: `CalendarFailure`.
 */
export function tokensOf(opening: Opening, client: GoogleClient): TokenSource {
  const { database, services, organization_id, connection_id, clock } = opening;
  let known: GoogleTokens | null = null;

  const isLiving = ({ access_token, expires_at }: GoogleTokens, refused?: string) =>
    access_token !== refused && expires_at - BEFORE_ITS_END > clock().getTime();

  async function stored(connection: Connection): Promise<GoogleTokens> {
    const reader = readerOf(opening, connection);
    const read = Tokens.safeParse(safeJson(await openSecret(reader, services.secret_keys, connection_id)));
    if (!read.success) throw new CalendarFailure('reauth_required', 'secret_unreadable');
    return read.data;
  }

  async function refreshed(work: Work, refused?: string): Promise<GoogleTokens> {
    await work.connection.query(
      "SELECT pg_advisory_xact_lock(hashtextextended('calendar token ' || $1, 0))",
      [connection_id],
    );
    const before = await stored(work.connection);
    if (isLiving(before, refused)) return before;
    const tokens = await refresh(opening, client, before);
    keepSecret(work, services.secret_keys, connectionSecret(connection_id), tokenText(tokens));
    return tokens;
  }

  return {
    accessToken: async (refused) => {
      if (known && isLiving(known, refused)) return known.access_token;
      known = await database.withConnection(organization_id, stored);
      if (isLiving(known, refused)) return known.access_token;
      known = await database.withConnection(organization_id, (connection) =>
        inWork(readerOf(opening, connection), (work) => refreshed(work, refused), {
          may_change_nothing: true,
        }),
      );
      return known.access_token;
    },
    refreshToken: async () => (await database.withConnection(organization_id, stored)).refresh_token,
  };
}

function readerOf({ organization_id, clock }: Opening, connection: Connection) {
  return {
    connection,
    organization_id,
    actor: systemActor,
    now: clock(),
    request_id: null,
    ip_address: null,
  };
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Ends with who asks: it holds a connection of the database, for which those behind it wait. */
async function refresh(
  { services, clock, signal }: Opening,
  client: GoogleClient,
  { refresh_token }: GoogleTokens,
): Promise<GoogleTokens> {
  signal?.throwIfAborted();
  const grant = { grant_type: 'refresh_token', refresh_token };
  return tokensIn(await askForTokens(services, client, grant, signal), clock(), refresh_token);
}

/**
 * Asks Google for tokens. Errors: `CalendarFailure`, `reauth_required` where the grant is over or was never right.
 */
export async function askForTokens(
  services: OutsideServices,
  client: GoogleClient,
  grant: Record<string, string>,
  signal?: AbortSignal,
): Promise<Record<string, unknown>> {
  const answer = await callGoogle(services, {
    method: 'POST',
    url: addressesOf(client).token,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
    body: new URLSearchParams({
      client_id: client.id,
      client_secret: client.secret,
      ...grant,
    }).toString(),
    time_limit: REFRESH_LIMIT,
    signal,
  });
  if (answer.status === 200) return objectIn(answer);
  if (answer.status === 429 || answer.status >= 500) {
    throw new CalendarFailure('unavailable', `token_status_${answer.status}`);
  }
  const word = textIn(objectIn(answer), 'error') ?? `token_status_${answer.status}`;
  // A wrong client is the operator's to mend: the consent of the owner stays good.
  if (word === 'invalid_grant') throw new CalendarFailure('reauth_required', word);
  throw new CalendarFailure('forbidden', /^[a-z_]{1,40}$/.test(word) ? word : 'token_refused');
}

/** The tokens of an answer; Google sends a refresh token with the first one alone. Errors: `CalendarFailure`. */
export function tokensIn(
  answered: Record<string, unknown>,
  now: Date,
  refresh_token: string | null,
): GoogleTokens {
  const access_token = textIn(answered, 'access_token');
  const kept = textIn(answered, 'refresh_token') ?? refresh_token;
  const { expires_in } = answered;
  if (access_token === null || kept === null) throw new CalendarFailure('broken', 'no_token');
  const seconds = typeof expires_in === 'number' && expires_in > 0 ? Math.min(expires_in, 86_400) : 3_600;
  return { access_token, refresh_token: kept, expires_at: now.getTime() + seconds * 1_000 };
}
