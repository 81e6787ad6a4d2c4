import { type Actor, NO_ORGANIZATION } from '../../shared/kernel/reader.ts';
import type { Link } from '../../shared/platform/links/links.ts';
import type { ApiContext } from '../context.ts';
import type { Credential } from './credential.ts';
import type { Caller, Request } from './request.ts';

/** Whether a call acts in the organization of its credential, by the kind of its access. */
type Acting = { acts_in_organization: boolean };

/** Who asks, as operations and queries see it, and in which organization: `NO_ORGANIZATION` for none. */
export function callerOf(
  context: ApiContext,
  request: Request,
  { acts_in_organization }: Acting,
  credential: Credential | null,
): Caller {
  const { link, organization_id } = request.state;
  const acts_in = acts_in_organization ? ((credential ?? link)?.organization_id ?? organization_id) : null;
  return {
    organization_id: acts_in ?? NO_ORGANIZATION,
    actor: credential ? actorOf(credential) : link ? guestOf(link) : GUEST,
    now: context.now(),
    request_id: request.state.request_id,
    ip_address: request.ip,
  };
}

/** Somebody without credentials. */
const GUEST: Actor = { type: 'guest', id: 'guest', user_id: null, role: null, grants: [] };

/** A session acts as its person, a key as itself with its creator's user ID. */
function actorOf({ kind, id, user_id, role, grants }: Credential): Actor {
  if (kind === 'session') return { type: 'user', id: user_id, user_id, role, grants };
  return { type: 'api_key', id, user_id, role, grants };
}

/** Who has a link: named in the audit log by the record that the link opens, without any right of a member. */
function guestOf({ record_id }: Link): Actor {
  return { ...GUEST, id: record_id };
}
