import { randomBytes } from 'node:crypto';
import type { Database } from '../../shared/db/database.ts';
import { Failure } from '../../shared/kernel/failure.ts';
import { addressBucket } from '../../shared/kernel/networks.ts';
import type { Reader } from '../../shared/kernel/reader.ts';
import type { Link } from '../../shared/platform/links/links.ts';
import { tokenFrom } from '../../shared/platform/links/token.ts';
import type { AccessSteps } from '../../shared/sign/guests/access.ts';
import { type Guest, seenBy } from '../../shared/sign/guests/seen.ts';
import { type GuestCall, requireStanding } from '../../shared/sign/guests/standing.ts';
import { requireUnlocked } from '../../shared/sign/guests/unlocked.ts';
import { inTurnOfAddress } from '../auth/password-turns.ts';
import type { AskingGuest } from '../http/declaration.ts';
import type { Caller } from '../http/request.ts';
import type { Steps } from '../http/steps.ts';
import { accessTokenOf } from './access-cookie.ts';

/** What of a request says who the guest is. */
export type Came = {
  link: Link | null;
  cookies: string | null;
  base_url: string;
  user_agent?: string | null;
};

/** The guest of a call: the signer of its link, with the access that its cookie proves. */
export function guestOf({ link, cookies, base_url, user_agent = null }: Came): Guest {
  const { record_id, token_hash } = link!;
  const access_token = accessTokenOf(cookies, base_url);
  return { signer_id: record_id, link_hash: token_hash, access_token, user_agent };
}

/**
 * Refuses a guest by the state of the document before the form of the request is looked at. Of a repeated request the access
 * alone is asked: what its first one did has changed the state. Errors: `not_found`, `access_locked`, and those of
 * `requireStanding`.
 */
export function admits(call: GuestCall) {
  return async ({ is_repeated, ...came }: AskingGuest, reader: Reader): Promise<void> => {
    const seen = await seenBy(reader, guestOf(came));
    if (is_repeated && call !== 'open' && !seen.has_access) throw new Failure('access_required');
    if (is_repeated) return;
    requireStanding(seen, call, reader.now);
    if (call === 'open') requireUnlocked(seen, reader.now);
  };
}

/** What opening a document works with, of the steps of a call or page. */
export function accessSteps({ read, write, caller }: Steps): AccessSteps {
  const { organization_id, ip_address } = caller;
  return {
    read,
    write: (run) => write({ organization_id, may_change_nothing: true }, run),
    inTurn: (run) => inTurnOfAddress(addressBucket(ip_address ?? ''), run),
    newToken: () => tokenFrom(randomBytes(32)),
  };
}

/** Reads that hold a connection while they run alone, before a write begins. */
export function readBefore({
  caller,
  database,
}: {
  caller: Caller;
  database: Database;
}): AccessSteps['read'] {
  return (run) =>
    database.withConnection(caller.organization_id, (connection) => run({ ...caller, connection }));
}
