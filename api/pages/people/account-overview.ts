import { type ApiKeyRow, apiKeyPage } from '../../../shared/access/api-keys/queries.ts';
import { type ShownUser, userById } from '../../../shared/access/users/queries.ts';
import { allows, type Role, scopes } from '../../../shared/kernel/scope.ts';
import type { Window } from '../../../shared/kernel/window.ts';
import type { Credential } from '../../http/authenticate.ts';
import type { Steps } from '../../http/steps.ts';

export type Membership = { id: string; name: string; role: Role };

/** What the account page shows: who is signed in, where they belong, and the working keys of the active organization. */
export type Overview = {
  user: ShownUser;
  memberships: Membership[];
  active: Membership | undefined;
  keys: Omit<ApiKeyRow, 'object'>[];
  /** The scopes that a new key may have. */
  scopes: readonly string[];
};

const NEWEST: Window = {
  form: 'offset',
  limit: 200,
  offset: 0,
  starting_after: null,
  sort: [],
  created_after: null,
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
      session.organization_id === null ? { rows: [] } : apiKeyPage(reader, {}, NEWEST),
    ]);
    const now = reader.now.toISOString();
    const isWorking = ({ revoked_at, expires_at }: ApiKeyRow) =>
      revoked_at === null && (expires_at === null || expires_at > now);
    return {
      user,
      memberships,
      active: memberships.find(({ id }) => id === session.organization_id),
      keys: page.rows.filter(isWorking),
      scopes: scopes.filter((scope) => allows(session.grants, scope)),
    };
  });
}
