import { type Database, EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { batchedLookup } from '../../shared/kernel/batch.ts';
import {
  type KeyRow,
  keysByHash,
  type SessionRow,
  sessionsByToken,
} from '../../shared/platform/access/credentials.ts';
import {
  type OrganizationOfSlug,
  organizationsOfSlugs,
} from '../../shared/platform/access/organizations/queries.ts';

/** How credentials and the organizations of public paths are looked up: those of requests that arrive together, in one query. */
export type Lookups = {
  /** By the key's SHA-256 in hexadecimal. */
  key: (hash: string) => Promise<KeyRow | null>;
  session: (token: string) => Promise<SessionRow | null>;
  /** By a slug that it has or had. */
  organization: (slug: string) => Promise<OrganizationOfSlug | null>;
};

export function lookupsIn(database: Database): Lookups {
  return {
    key: batchedLookup((hashes) =>
      database.withConnection(EVERY_ORGANIZATION, (connection) => keysByHash(connection, hashes)),
    ),
    session: batchedLookup((tokens) =>
      database.withConnection(EVERY_ORGANIZATION, (connection) => sessionsByToken(connection, tokens)),
    ),
    organization: batchedLookup((slugs) =>
      database.withConnection(EVERY_ORGANIZATION, (connection) => organizationsOfSlugs(connection, slugs)),
    ),
  };
}
