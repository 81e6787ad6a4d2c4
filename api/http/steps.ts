import { EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { inSharedWork } from '../../shared/db/in-shared-work.ts';
import { inWork } from '../../shared/db/in-work.ts';
import type { Connection } from '../../shared/kernel/connection.ts';
import { type Actor, NO_ORGANIZATION, type Reader } from '../../shared/kernel/reader.ts';
import type { Work } from '../../shared/kernel/work.ts';
import type { ApiContext } from '../context.ts';
import type { Credential } from './credential.ts';
import { hearsCookies } from './hears-cookies.ts';
import type { Caller, Request } from './request.ts';

/** For whom a step writes: the organization of its facts, and who acts where that became known on the way. */
export type Acting = {
  organization_id: string;
  actor?: Actor;
  /** Whether the write may end without a fact. */
  may_change_nothing?: boolean;
  /**
   * Whether many of these come at once, so that works which say so (`Work.shareCommit`) are written together. It reads what its
   * organization has and nothing else, and may run twice.
   */
  shares_commit?: boolean;
};

/** For writes to an account: it belongs to no organization, so no audit log has to tell of its changes. */
export const forAccount: Acting = { organization_id: NO_ORGANIZATION, may_change_nothing: true };

/** What a stepwise call works with: reads and writes that hold a connection while they run and not longer. */
export type Steps = {
  readonly context: ApiContext;
  readonly caller: Caller;
  /** The session or key that the request came with; null for a visitor without one. */
  readonly credential: Credential | null;
  /** The browser's name and its cookies (none beside a key), and nothing else of the request. */
  readonly headers: Headers;
  /** The request headers that the call is declared to hear; null for one that was not sent. */
  readonly heard: Readonly<Record<string, string | null>>;
  /** Reads across organizations: accounts and tokens belong to none. */
  read<T>(run: (reader: Reader) => Promise<T>): Promise<T>;
  /** One transaction; the work is finished and committed when `run` has settled. */
  write<T>(acting: Acting, run: (work: Work) => Promise<T>): Promise<T>;
};

/**
 * The steps of one request. `time` is asked at the beginning of each for the signal that its time is over; `hears` has the
 * names of the headers that it depends on.
 */
export function stepsOf(
  context: ApiContext,
  request: Request,
  caller: Caller,
  time: () => AbortSignal,
  hears: readonly string[] = [],
): Steps {
  const { database } = context;
  return {
    context,
    caller,
    credential: request.state.credential ?? null,
    headers: headersOf(request),
    heard: heardOf(hears, request),
    read: (run) =>
      database.withConnection(EVERY_ORGANIZATION, (connection) => run({ ...caller, connection }), time()),
    write: ({ may_change_nothing = false, shares_commit = false, ...acting }, run) => {
      const reader = { ...caller, ...acting };
      if (shares_commit) {
        const { organization_id } = acting;
        return inSharedWork({ database, organization_id, reader, signal: time() }, run, {
          may_change_nothing,
        });
      }
      const write = (connection: Connection) =>
        inWork({ ...reader, connection }, run, { may_change_nothing });
      return database.withConnection(EVERY_ORGANIZATION, write, time());
    },
  };
}

function headersOf(request: Request): Headers {
  const { cookie, authorization } = request.headers;
  const headers = new Headers({ 'User-Agent': request.get('User-Agent') });
  if (cookie !== undefined && hearsCookies(authorization)) headers.set('Cookie', cookie);
  return headers;
}

/** The headers that are named, and no others: what a call depends on stands in the reference. */
function heardOf(names: readonly string[], { headers }: Request): Steps['heard'] {
  return Object.fromEntries(
    names.map((name) => {
      const value = headers[name.toLowerCase()];
      return [name, Array.isArray(value) ? value.join(', ') : (value ?? null)];
    }),
  );
}
