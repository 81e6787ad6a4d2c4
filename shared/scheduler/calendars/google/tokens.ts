import { setTimeout as pause } from 'node:timers/promises';
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
import { endLease, takeLease } from './lease.ts';

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

/** Milliseconds for the call of Google. */
const REFRESH_LIMIT = 10_000;

/** Milliseconds after which who waits for the token of somebody else looks again, and is given up. */
const LOOK_AGAIN = 100;
const LONGEST_WAIT = 20_000;

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
 * The tokens of a connection. One of all processes refreshes at a time, by a lease: the others look again until they find
 * what it got. Nobody holds a connection of the database while Google answers. Errors: `CalendarFailure`.
 */
export function tokensOf(opening: Opening, client: GoogleClient): TokenSource {
  const { database, services, organization_id, connection_id, clock, signal } = opening;
  let known: GoogleTokens | null = null;

  const isLiving = ({ access_token, expires_at }: GoogleTokens, refused?: string) =>
    access_token !== refused && expires_at - BEFORE_ITS_END > clock().getTime();

  async function stored(connection: Connection): Promise<GoogleTokens> {
    const reader = readerOf(opening, connection);
    const read = Tokens.safeParse(safeJson(await openSecret(reader, services.secret_keys, connection_id)));
    if (!read.success) throw new CalendarFailure('reauth_required', 'secret_unreadable');
    return read.data;
  }

  const working = <T>(run: (work: Work) => Promise<T>) =>
    database.withConnection(organization_id, (connection) =>
      inWork(readerOf(opening, connection), run, { may_change_nothing: true }),
    );

  /** Living tokens, those that are to be replaced now under a lease, or null while somebody else does that. */
  const look = (refused?: string) =>
    working(async (work): Promise<{ tokens: GoogleTokens; lease: string | null } | null> => {
      const before = await stored(work.connection);
      if (isLiving(before, refused)) return { tokens: before, lease: null };
      const lease = await takeLease(work, connection_id);
      if (lease === null) return null;
      // Whoever had the lease before may have kept new tokens just then.
      const tokens = await stored(work.connection);
      if (!isLiving(tokens, refused)) return { tokens, lease };
      await endLease(work, connection_id, lease);
      return { tokens, lease: null };
    });

  async function replaced(before: GoogleTokens, lease: string): Promise<GoogleTokens> {
    try {
      const tokens = await refresh(opening, client, before);
      return await working(async (work) => {
        // Without the lease the tokens are somebody else's by now: the account may have been connected again.
        if (!(await endLease(work, connection_id, lease))) return stored(work.connection);
        keepSecret(work, services.secret_keys, connectionSecret(connection_id), tokenText(tokens));
        return tokens;
      });
    } catch (error) {
      await working((work) => endLease(work, connection_id, lease));
      throw error;
    }
  }

  return {
    accessToken: async (refused) => {
      if (known && isLiving(known, refused)) return known.access_token;
      const began = performance.now();
      for (;;) {
        signal?.throwIfAborted();
        const found = await look(refused);
        if (found) {
          const { tokens, lease } = found;
          known = lease === null ? tokens : await replaced(tokens, lease);
          return known.access_token;
        }
        if (performance.now() - began > LONGEST_WAIT) throw new CalendarFailure('unavailable', 'token_busy');
        // What ends the waiting is told at the next look.
        await pause(LOOK_AGAIN, undefined, signal ? { signal } : {}).catch(() => undefined);
      }
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
