import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { freshDatabase } from '../support/database.ts';

const { database, drop } = await freshDatabase();
after(drop);

const query = (text: string, values: unknown[] = []) =>
  database.withConnection(EVERY_ORGANIZATION, (connection) =>
    connection.query<{ organization_id: string; storage_key: string }>(text, values),
  );

test('a file that the release before releases has no row among the kept ones any more', async () => {
  const kept = [
    ['org_a', 'org_a/one'],
    ['org_a', 'org_a/two'],
    ['org_a', 'org_a/three'],
    ['org_b', 'org_a/one'],
  ];
  for (const [organization_id, storage_key] of kept)
    await query(
      `INSERT INTO files (organization_id, storage_key, file_name, declared_type, content_type, size, sha256, scan, created_at)
       VALUES ($1, $2, 'a.csv', 'text/csv', 'text/csv', 1, 'x', 'off', now())`,
      [organization_id, storage_key],
    );
  await query(
    `INSERT INTO loose_files (organization_id, storage_key, due_at, created_at)
     SELECT 'org_a', unnest($1::text[]), now(), now()`,
    [['org_a/one', 'org_a/two', 'org_a/never_kept']],
  );
  assert.deepEqual(await query('SELECT organization_id, storage_key FROM files ORDER BY 1, 2'), [
    { organization_id: 'org_a', storage_key: 'org_a/three' },
    { organization_id: 'org_b', storage_key: 'org_a/one' },
  ]);
});
