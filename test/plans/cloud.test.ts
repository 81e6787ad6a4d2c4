import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { pruneVersions } from '../../shared/cloud/files/prune.ts';
import { purgeTrash } from '../../shared/cloud/trash/purge.ts';
import { gramsOf } from '../../shared/platform/search/grams.ts';
import type { TestActor } from '../support/actors.ts';
import { assertReads, assertSweeps, plannedApp, type Reading } from '../support/plans.ts';

/** What pages of folders and files read among 100,000 files, most of them in one folder, beside another organization. */
const FILES = 100_000;
const OTHERS = 30_000;
const FOLDERS = 500;
const RARE = 5;

/** Tables that an organization has some hundred rows of at most. */
const SMALL = new Set([
  'crm_aliases',
  'api_keys',
  'api_key_hashes',
  'members',
  'organizations',
  'cloud_settings',
  'cloud_grants',
  'invoicing_settings',
  'files',
]);

const planned = await plannedApp();
const { app } = planned;
const client = await app.actor();

before(async () => {
  const other = await app.actor();
  await planned.fill(async () => {
    await seed(other.actor, OTHERS);
    await seed(client.actor, FILES);
  });
});

const idOf = (prefix: string, n: number) => `${prefix}_0${String(n).padStart(25, '0')}`;
const LARGE = idOf('fold', 1);

/**
 * Folders in the root, the first of which has half of all files; the others have as many each. One folder in ten is in the
 * trash, one is restricted. Five files are large, rare in name and of one content. A word of the newest tenth is at the end of
 * all names.
 */
async function seed({ organization_id, user_id }: TestActor, count: number): Promise<void> {
  const [usual, late, rare] = ['議事録.txt', '議事録写し.txt', '珍品.txt'];
  await app.database.withConnection(organization_id, async ({ query }) => {
    await query(
      `INSERT INTO cloud_items (organization_id, id, kind, name, name_key, search_text, search_grams, created_by,
         is_restricted, file_count, trashed_at, created_at, updated_at)
       SELECT $1, 'fold_0' || lpad(n::text, 25, '0'), 'folder', 'f' || n, 'f' || n, 'f' || n, $2, $3, n = 7,
         CASE WHEN n = 1 THEN $5 / 2 ELSE 0 END, CASE WHEN n % 10 = 9 THEN now() END, now(), now()
         FROM generate_series(1, $4::int) AS n`,
      [organization_id, gramsOf('f1'), user_id, FOLDERS, count],
      { prepared: false },
    );
    await query(
      `WITH row AS (
         SELECT n, lpad(n::text, 25, '0') AS at, n % ($2 / ${RARE}) = 0 AS is_rare,
                CASE WHEN n % 2 = 0 THEN 1 ELSE n % ${FOLDERS} + 1 END AS folder FROM generate_series(1, $2::int) AS n
       ), item AS (
         INSERT INTO cloud_items (organization_id, id, kind, parent_id, name, name_key, search_text, search_grams, created_by,
           version_id, version_number, size_bytes, content_type, extension, sha256, storage_key, trashed_at, created_at,
           updated_at)
         SELECT $1, 'file_0' || at, 'file', 'fold_0' || lpad(folder::text, 25, '0'),
           n || CASE WHEN is_rare THEN $5 ELSE $4 END, n || CASE WHEN is_rare THEN $5 ELSE $4 END,
           CASE WHEN is_rare THEN $5 WHEN n > $2 * 0.9 THEN $8 ELSE $4 END,
           CASE WHEN is_rare THEN $7::int[] WHEN n > $2 * 0.9 THEN $9::int[] ELSE $6::int[] END, $3,
           'fver_0' || at, CASE WHEN is_rare THEN 2 ELSE 1 END, CASE WHEN is_rare THEN 9000000 ELSE n END, 'text/plain', 'txt',
           CASE WHEN is_rare THEN lpad('', 64, 'a') ELSE lpad(n::text, 64, '0') END, $1 || '/' || at,
           CASE WHEN n % 10 = 3 THEN now() END, now() + n * interval '1 ms', now() + n * interval '1 ms' FROM row RETURNING 1)
       INSERT INTO cloud_versions (organization_id, id, file_id, number, size_bytes, content_type, sha256, storage_key, created_at)
       SELECT $1, 'fver_0' || at, 'file_0' || at, 1, 1, 'text/plain', lpad(n::text, 64, '0'), $1 || '/' || at, now() FROM row`,
      [organization_id, count, user_id, usual, rare, gramsOf(usual), gramsOf(rare), late, gramsOf(late)],
      { prepared: false },
    );
    await query(
      `INSERT INTO cloud_links (organization_id, file_id, type, id)
       SELECT $1, id, type, prefix || CASE WHEN size_bytes = 9000000 THEN 'x' ELSE id END
         FROM cloud_items, (VALUES ('invoice', 'inv_'), ('company', 'comp_')) AS linked (type, prefix)
        WHERE organization_id = $1 AND kind = 'file'`,
      [organization_id],
    );
  });
}

/** Rows of a page of 50: its items, their folders, the hidden folders, contents and links. */
const PAGE = 50 * 8 + FOLDERS;

/** A search looks at this many of the first rows before it asks the index of letters. */
const FIRST = 2_000;

/** In an index that has all it looks at, at this many. */
const NEAR = 10_000;

function reads(what: string, path: string, index: RegExp, found: number, most = PAGE): void {
  const reading: Reading = { path: `/cloud/${path}`, index, most, found };
  test(what, () => assertReads(planned, client, SMALL, reading));
}

describe('the list of files', () => {
  const page = 'skip_total=true&limit=50';
  reads('reads its newest page by their IDs', `files?${page}`, /items_by_id|items_pkey/, 50);
  reads('of a folder reads a page of it', `files?${page}&folder_id=${LARGE}`, /in_folder/, 50);
  reads('of a folder has its total without counting', `files?limit=50&folder_id=${LARGE}`, /in_folder/, 50);
  reads(
    'of a folder by name reads a page of it',
    `files?${page}&folder_id=${LARGE}&sort=name:asc`,
    /by_name/,
    50,
  );
  reads('of all folders by name reads a page', `files?${page}&sort=name:asc`, /names_searched/, 50);
  reads(
    'that a usual word is in, by name, reads the first of them',
    `files?${page}&search=${encodeURIComponent('議事')}&sort=name:asc`,
    /names_searched/,
    50,
    FIRST + PAGE,
  );
  reads(
    'that a usual word is in, by name backwards behind a cursor, reads on from there',
    `files?${page}&search=${encodeURIComponent('議事録')}&sort=name:desc&starting_after=${idOf('file', 50_000)}`,
    /names_searched/,
    50,
    FIRST + PAGE,
  );
  reads(
    'that a usual word is in, by name, reads the index to its end where the word stands there',
    `files?${page}&search=${encodeURIComponent('写し')}&sort=name:asc`,
    /names_searched/,
    50,
    NEAR + FIRST + FILES + PAGE,
  );
  reads(
    'that a usual word is in, with its total, counts in the index of names',
    `files?limit=50&search=${encodeURIComponent('議事録')}`,
    /names_searched/,
    50,
    2 * FIRST + FILES + PAGE,
  );
  for (const [what, word, direction] of [
    ['a usual word', '議事録', 'asc'],
    ['one at the end', '写し', 'asc'],
    ['one at the beginning', '写し', 'desc'],
    ['a rare one', '珍品', 'asc'],
  ] as const) {
    test(`that ${what} is in, by name, is what its reader sees, in order`, async () => {
      const { organization_id } = client.actor;
      const member = await app.actor({ organization_id, role: 'member' });
      const expected = await app.database.withConnection(organization_id, ({ query }) =>
        query<{ id: string }>(
          `SELECT file.id FROM cloud_items AS file JOIN cloud_items AS folder
               ON folder.organization_id = $1 AND folder.id = file.parent_id AND folder.trashed_at IS NULL AND NOT folder.is_restricted
            WHERE file.organization_id = $1 AND file.kind = 'file' AND file.trashed_at IS NULL AND file.search_text LIKE $2
            ORDER BY file.name_key ${direction}, file.id ${direction} LIMIT 100`,
          [organization_id, `%${word}%`],
        ),
      );
      assert.ok(expected.length > 0);
      const [counted] = await app.database.withConnection(organization_id, ({ query }) =>
        query<{ total: number }>(
          `SELECT count(*)::integer AS total FROM cloud_items AS file JOIN cloud_items AS folder
               ON folder.organization_id = $1 AND folder.id = file.parent_id AND folder.trashed_at IS NULL AND NOT folder.is_restricted
            WHERE file.organization_id = $1 AND file.kind = 'file' AND file.trashed_at IS NULL AND file.search_text LIKE $2`,
          [organization_id, `%${word}%`],
        ),
      );
      for (const sort of [`name:${direction}`, 'created_at:desc', 'created_at:asc', 'size_bytes:asc']) {
        const asked = `/cloud/files?limit=50&search=${encodeURIComponent(word)}&sort=${sort}`;
        const { body } = await member.get(asked);
        assert.deepEqual(
          [body.total, body.items.length],
          [counted!.total, Math.min(50, counted!.total)],
          sort,
        );
      }
      const path = `/cloud/files?${page}&search=${encodeURIComponent(word)}&sort=name:${direction}`;
      const ids: string[] = [];
      for (const cursor of ['', `&starting_after=${expected.slice(0, 50).at(-1)!.id}`]) {
        const { status, body, text } = await member.get(`${path}${cursor}`);
        assert.equal(status, 200, text);
        ids.push(...(body.items ?? body.data).map(({ id }: { id: string }) => id));
      }
      assert.deepEqual(
        ids,
        expected.map(({ id }) => id),
      );
    });
  }
  reads('of one content reads those', `files?${page}&sha256=${'a'.repeat(64)}`, /by_content/, RARE);
  reads('of a rare extension reads those', `files?${page}&extension=zip`, /by_extension/, 0);
  reads('of a rare type reads those', `files?${page}&content_type=application/zip`, /by_content_type/, 0);
  reads(
    'of somebody who made few reads those',
    `files?${page}&created_by=${idOf('usr', 99)}`,
    /by_creator/,
    0,
  );
  reads('of large ones reads those', `files?${page}&size_min=9000000`, /by_size/, RARE);
  reads('by size reads a page', `files?${page}&sort=size_bytes:desc`, /by_size/, 50);
  reads('by their last change reads a page', `files?${page}&sort=updated_at:desc`, /by_change/, 50);
  reads(
    'of a record reads its links',
    `files?${page}&link_type=invoice&link_id=inv_x`,
    /links_by_record/,
    RARE,
  );
  reads(
    'of a company reads its links, and those of what was merged into it',
    `files?${page}&link_type=company&link_id=comp_x`,
    /links_by_record/,
    RARE,
  );
  reads('of an own ID reads that', `files?${page}&external_id=K-1`, /external_id/, 0);
  reads(
    'that a rare word is in reads those',
    `files?${page}&search=${encodeURIComponent('珍品')}`,
    /items_search/,
    RARE,
    FIRST + PAGE,
  );
  reads(
    'below a folder reads until a page is full',
    `files?${page}&folder_id=${LARGE}&recursive=true`,
    /in_folder|items_by_id|by_name/,
    50,
    PAGE * 2,
  );
});

describe('the lists of folders and of the trash', () => {
  reads(
    'read folders of all levels by name',
    'folders?skip_total=true&limit=50&sort=name:asc',
    /names_searched/,
    50,
  );
  reads('read the newest folders by their IDs', 'folders?skip_total=true&limit=50', /items_by_id|pkey/, 50);
  reads('read the children of a folder by name', `folders/${LARGE}/children?limit=50`, /by_name/, 50);
  reads(
    'read a page in the middle of the children from there on',
    `folders/${LARGE}/children?limit=50&starting_after=${idOf('file', 50_000)}`,
    /by_name/,
    50,
  );
  reads('read the trash by its time', 'trash?skip_total=true&limit=20', /in_trash/, 20);
});

describe('sweeps', () => {
  const { signal } = new AbortController();

  test('of versions look at files that have several', async () => {
    const sweep = () => pruneVersions(app.database, new Date(), signal);
    await assertSweeps(planned, sweep, SMALL, { indexes: [/with_versions/], most: 100 });
  });

  test('of the trash look at what is due or given up among 10,000 items, and purge no more', async () => {
    const { organization_id } = client.actor;
    const due = await app.database.withConnection(organization_id, ({ query }) =>
      query(
        `UPDATE cloud_items SET trashed_at = now() - interval '31 days', storage_key = $1 || '/a/' || id
          WHERE organization_id = $1 AND id IN (
            SELECT id FROM cloud_items
             WHERE organization_id = $1 AND kind = 'file' AND trashed_at IS NOT NULL ORDER BY id LIMIT ${RARE})
         RETURNING id`,
        [organization_id],
      ),
    );
    assert.equal(due.length, RARE);
    const sweep = async () => assert.equal(await purgeTrash(app.database, new Date(), signal), RARE);
    await assertSweeps(planned, sweep, SMALL, { indexes: [/in_trash/, /to_purge/, /emptied/], most: 1_000 });
  });

  test('of the trash remove a folder by reading what is in it, not all files', async () => {
    const id = idOf('fold', 3);
    assert.equal((await client.delete(`/cloud/folders/${id}`)).status, 200);
    assert.equal((await client.delete(`/cloud/trash/${id}`)).status, 200);
    const sweep = async () => assert.equal(await purgeTrash(app.database, new Date(), signal), 1);
    await assertSweeps(planned, sweep, SMALL, { indexes: [/in_folder/], most: 1_000 });
  });
});
