import type { Grant, Role } from '../../../shared/kernel/scope.ts';
import type { Window } from '../../../shared/kernel/window.ts';
import { MOST_KEYS } from '../../../shared/platform/access/api-keys/operations.ts';
import { type ApiKeyRow, apiKeyPage } from '../../../shared/platform/access/api-keys/queries.ts';
import { type ShownUser, userById } from '../../../shared/platform/access/users/queries.ts';
import type { Credential } from '../../http/credential.ts';
import type { Steps } from '../../http/steps.ts';
import { offeredScopes } from './scope-choice.ts';

export type Membership = { id: string; name: string; role: Role };

/** What the account page shows: who is signed in, where they belong, and the working keys of the active organization. */
export type Overview = {
  user: ShownUser;
  memberships: Membership[];
  active: Membership | undefined;
  keys: ApiKeyRow[];
  /** Whether there are older keys than those. */
  more_keys: boolean;
  /** The scopes that a new key may have. */
  scopes: readonly Grant[];
};

/** Organizations had more keys before there was a limit: then the newest are shown. */
const NEWEST: Window = {
  form: 'offset',
  limit: MOST_KEYS,
  offset: 0,
  starting_after: null,
  sort: [],
  created_after: null,
  updated_after: null,
  updated_before: null,
  created_before: null,
  count: false,
};

/** Reads it all on one connection. */
export function overviewOf(steps: Steps, session: Credential): Promise<Overview> {
  return steps.read(async (reader) => {
    const { connection } = reader;
    const [user, memberships, page] = await Promise.all([
      userById(connection, session.user_id),
      connection.query<Membership>(
        `SELECT organization.id, organization.name, member.role
           FROM members AS member JOIN organizations AS organization ON organization.id = member.organization_id
          WHERE member.user_id = $1 AND member.left_at IS NULL ORDER BY organization.id`,
        [session.user_id],
      ),
      session.organization_id === null
        ? { rows: [], has_more: false }
        : apiKeyPage(reader, { working: true }, NEWEST),
    ]);
    return {
      user,
      memberships,
      active: memberships.find(({ id }) => id === session.organization_id),
      keys: page.rows,
      more_keys: page.has_more,
      scopes: offeredScopes(session.grants),
    };
  });
}
