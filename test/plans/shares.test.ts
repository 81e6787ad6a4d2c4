import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { gramsOf } from '../../shared/platform/search/grams.ts';
import { newOffice } from '../support/cloud.ts';
import { plannedApp } from '../support/plans.ts';
import { type Shared, share } from '../support/shares.ts';

/** What guests read of a share with 100,000 files below it, half of them in one folder, beside 10,000 other shares. */
const FILES = 100_000;
const FOLDERS = 500;
const SHARES = 10_000;

const planned = await plannedApp();
const { app } = planned;
const owner = await newOffice(app);
const folder = await owner.folder('公開');
let shared: Shared;

before(async () => {
  await planned.fill(() => seed());
  shared = await share(owner, { folder_id: folder.id });
});

const idOf = (prefix: string, n: number) => `${prefix}_0${String(n).padStart(25, '0')}`;

/** Folders below the shared one, one in a hundred restricted; the first has half of all files, the others as many each. */
async function seed(): Promise<void> {
  const { organization_id, user_id } = owner;
  const grams = gramsOf('file');
  await app.database.withConnection(organization_id, async ({ query }) => {
    await query(
      `INSERT INTO cloud_items (organization_id, id, kind, parent_id, name, name_key, search_text, search_grams, created_by,
         is_restricted, created_at, updated_at)
       SELECT $1, 'fold_0' || lpad(n::text, 25, '0'), 'folder', $5, 'folder ' || n, 'folder ' || n, 'folder', $2, $3,
         n % 100 = 7, now(), now() FROM generate_series(1, $4::int) AS n`,
      [organization_id, grams, user_id, FOLDERS, folder.id],
      { prepared: false },
    );
    await query(
      `WITH row AS (
         SELECT n, lpad(n::text, 25, '0') AS at, CASE WHEN n % 2 = 0 THEN 1 ELSE n % ${FOLDERS} + 1 END AS parent
           FROM generate_series(1, $2::int) AS n
       ), item AS (
         INSERT INTO cloud_items (organization_id, id, kind, parent_id, name, name_key, search_text, search_grams, created_by,
           version_id, version_number, size_bytes, content_type, extension, sha256, storage_key, created_at, updated_at)
         SELECT $1, 'file_0' || at, 'file', 'fold_0' || lpad(parent::text, 25, '0'), 'file ' || lpad(n::text, 6, '0'),
           'file ' || lpad(n::text, 6, '0'), 'file', $4, $3, 'fver_0' || at, 1, n, 'text/plain', 'txt',
           lpad(n::text, 64, '0'), $1 || '/' || at, now(), now() FROM row RETURNING 1
       ), stored AS (
         INSERT INTO files (organization_id, storage_key, file_name, declared_type, content_type, size, sha256, scan, created_at)
         SELECT $1, $1 || '/' || at, 'file', '', 'text/plain', n, lpad(n::text, 64, '0'), 'clean', now() FROM row RETURNING 1)
       INSERT INTO cloud_versions (organization_id, id, file_id, number, size_bytes, content_type, sha256, storage_key, created_at)
       SELECT $1, 'fver_0' || at, 'file_0' || at, 1, 1, 'text/plain', lpad(n::text, 64, '0'), $1 || '/' || at, now() FROM row`,
      [organization_id, FILES, user_id, grams],
      { prepared: false },
    );
    await query(
      `INSERT INTO cloud_shares (organization_id, id, item_id, created_by, created_at, updated_at)
       SELECT $1, 'shr_0' || lpad(n::text, 25, '0'), 'file_0' || lpad(n::text, 25, '0'), $2, now(), now() + n * interval '1 ms'
         FROM generate_series(1, $3::int) AS n`,
      [organization_id, user_id, SHARES],
      { prepared: false },
    );
  });
}

/** Tables that have a few rows here. */
const SMALL = new Set([
  'members',
  'organizations',
  'cloud_settings',
  'cloud_grants',
  'api_keys',
  'api_key_hashes',
  'links',
  'link_generations',
  'link_keys',
  'invoicing_settings',
]);

/** What `call` read: through indexes alone, and no more rows than said. */
async function reads(index: RegExp, most: number, call: () => Promise<{ status: number; text: string }>) {
  const { indexes, whole, rows } = await planned.plansOf(async () => {
    const { status, text } = await call();
    assert.equal(status, 200, text);
  });
  assert.deepEqual(
    [...whole].filter((table) => !SMALL.has(table)),
    [],
  );
  assert.ok(
    [...indexes].some((name) => index.test(name)),
    [...indexes].join(),
  );
  assert.ok(rows <= most, `${rows} rows were looked at, more than ${most}`);
}

const guest = (path: string) => app.anonymous.get(`/cloud/s/${shared.token}${path}`);

/** Rows beside those of a page: link, share, settings, member, folders above. */
const BESIDE = 30;

describe('a guest', () => {
  test('reads a page of a folder of 50,000 files, at any place of it', async () => {
    for (const after of ['', 'file/file 090000', 'folder/folder 0']) {
      const query = `?limit=50&path=${encodeURIComponent('folder 1')}${after && `&after=${encodeURIComponent(after)}`}`;
      await reads(/items_by_name/, 51 * 3 + BESIDE, () => guest(query));
    }
  });

  test('reads folders first, restricted ones left out', async () => {
    await reads(/items_by_name/, ((51 * 100) / 99) * 3 + BESIDE, () => guest('?limit=50'));
  });

  test('finds a file among them by its path', async () => {
    await reads(/name_once/, BESIDE, () => guest(`?path=${encodeURIComponent('folder 1/file 050000')}`));
  });

  test('opens a page of it in a browser', async () => {
    await reads(/items_by_name/, 201 * 3 + BESIDE, async () => {
      const response = await fetch(`${app.base_url}${shared.page}${encodeURIComponent('folder 1')}/`, {
        headers: { Accept: 'text/html' },
      });
      return { status: response.status, text: await response.text() };
    });
  });

  test('has all of it, file by file, in parts that do not grow', async () => {
    const response = await fetch(`${app.base_url}${shared.page}${encodeURIComponent('folder 1')}/`);
    const names = [...(await response.text()).matchAll(/<a href="file%20(\d+)">/g)].map(([, n]) => Number(n));
    assert.equal(names.length, FILES / 2);
    assert.ok(names.every((name, index) => index === 0 || name > names[index - 1]!));
  });
});

describe('the list of shares', () => {
  const list = (query: string) => () => owner.get(`/cloud/shares?skip_total=true&limit=50${query}`);

  test('reads its newest page by their IDs', () => reads(/cloud_shares_pkey/, 51 * 3 + BESIDE, list('')));
  test('reads those of an item', () => reads(/shares_by_item/, BESIDE, list(`&file_id=${idOf('file', 77)}`)));
  test('reads those that changed last', () =>
    reads(/shares_by_change/, 51 * 3 + BESIDE, list('&sort=updated_at:desc')));
});
