import { randomBytes } from 'node:crypto';
import { versions } from '../../api/versions.ts';
import { EVERY_ORGANIZATION, openDatabase } from '../../shared/db/database.ts';
import { inWork } from '../../shared/db/in-work.ts';
import { domains, roleGrants } from '../../shared/domains.ts';
import type { Connection } from '../../shared/kernel/connection.ts';
import { newId } from '../../shared/kernel/id.ts';
import type { Actor } from '../../shared/kernel/reader.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { createApiKey } from '../../shared/platform/access/api-keys/operations.ts';
import { createOrganization } from '../../shared/platform/access/organizations/operations.ts';
import { hashPassword } from '../../shared/platform/access/passwords.ts';
import { rememberOrganization } from '../../shared/platform/access/sessions/operations.ts';
import { createUser } from '../../shared/platform/access/users/operations.ts';
import type { Credentials } from '../welcome.ts';
import { createRecords } from './records.ts';

const EMAIL = 'demo@example.com';

/** Makes everything in one transaction; null when somebody else was first. */
export async function makeDemo(url: string, now: Date): Promise<Credentials | null> {
  const password = randomBytes(12).toString('base64url');
  const password_hash = await hashPassword(password);
  const database = openDatabase({ url, pool_size: 1, application_name: 'business-operations-start' });
  try {
    const user_id = newId('usr', now);
    const actor: Actor = { type: 'user', id: user_id, user_id, role: 'owner', grants: ['*'] };
    const asker = { actor, now, request_id: null, ip_address: null };
    return await database.withConnection(EVERY_ORGANIZATION, (connection) =>
      inWork({ ...asker, connection, organization_id: '' }, async (work) => {
        if (!(await isFirst(connection))) {
          work.abandon();
          return null;
        }
        const { secret } = await fill(work, user_id, password_hash);
        return { email: EMAIL, password, api_key: secret };
      }),
    );
  } finally {
    await database.end();
  }
}

/** Two that start at the same time wait for each other here. */
async function isFirst(connection: Connection): Promise<boolean> {
  await connection.query("SELECT pg_advisory_xact_lock(hashtextextended('first organization', 0))");
  return (await connection.query('SELECT FROM organizations LIMIT 1')).length === 0;
}

async function fill(work: Work, user_id: string, password_hash: string): Promise<{ secret: string }> {
  const account = { name: '試用 花子', email: EMAIL, email_verified: true, locale: 'ja' } as const;
  createUser(work, { id: user_id, password_hash, ...account });
  await work.flush();
  const about = { name: '試用商事株式会社', slug: 'demo' };
  const { id } = await createOrganization(work, about, user_id, versions[0]!.version, domains);
  rememberOrganization(work, user_id, id);
  const inside = work.inOrganization(id);
  await createRecords(inside);
  return createApiKey(inside, { name: '試用' }, roleGrants);
}
