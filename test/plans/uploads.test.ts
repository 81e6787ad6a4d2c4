import { before, describe, test } from 'node:test';
import { expireUploads } from '../../shared/cloud/uploads/sweep.ts';
import type { TestActor } from '../support/actors.ts';
import { assertReads, assertSweeps, plannedApp } from '../support/plans.ts';

/** What pages of resumable uploads read among 100,000, of which the caller made every tenth. */
const UPLOADS = 100_000;
const RARE = 5;

const SMALL = new Set(['api_keys', 'api_key_hashes', 'members', 'organizations']);

const planned = await plannedApp();
const { app } = planned;
const owner = await app.actor();
const { organization_id } = owner.actor;
const member = await app.actor({ organization_id, role: 'member' });

before(async () => {
  await planned.fill(() => seed(member.actor, owner.actor));
});

function seed({ user_id }: TestActor, { user_id: other }: TestActor): Promise<unknown> {
  return app.database.withConnection(organization_id, ({ query }) =>
    query(
      `INSERT INTO cloud_uploads (organization_id, id, storage_key, file_name, on_conflict, size_bytes, status, created_by,
         actor_type, actor_id, expires_at, created_at, updated_at)
       SELECT $1, 'upl_0' || lpad(n::text, 25, '0'), CASE WHEN is_rare THEN 'k' END, 'f' || n, 'rename', n,
         CASE WHEN is_rare THEN 'receiving' ELSE 'completed' END, CASE WHEN n % 10 = 0 THEN $2 ELSE $3 END, 'user', $2,
         now(), now() + n * interval '1 ms', now() + n * interval '1 ms'
         FROM (SELECT n, n % ($4 / ${RARE}) = 0 AS is_rare FROM generate_series(1, $4::int) AS n) AS row`,
      [organization_id, user_id, other, UPLOADS],
      { prepared: false },
    ),
  );
}

describe('the list of resumable uploads', () => {
  const page = 'uploads?skip_total=true&limit=50';
  for (const [what, client, path, index, found] of [
    ['reads its newest page by their IDs', owner, page, /uploads_pkey/, 50],
    ['of a member reads their own', member, page, /by_creator/, 50],
    ['of a rare status reads those', owner, `${page}&status=receiving`, /by_stat(us|e)/, RARE],
    ['by name reads a page', owner, `${page}&sort=name:asc`, /by_name/, 50],
    ['by size reads a page', owner, `${page}&sort=size_bytes:desc`, /by_size/, 50],
    ['by their last change reads a page', owner, `${page}&sort=updated_at:desc`, /by_change/, 50],
  ] as const) {
    test(what, () =>
      assertReads(planned, client, SMALL, { path: `/cloud/${path}`, index, most: 100, found }),
    );
  }
});

test('the sweep of resumable uploads looks at those that have bytes and whose time is over', async () => {
  const yesterday = new Date(Date.now() - 24 * 60 * 60_000);
  const sweep = () => expireUploads(app.database, yesterday, new AbortController().signal);
  await assertSweeps(planned, sweep, SMALL, { indexes: [/uploads_expiring/], most: 100 });
});
