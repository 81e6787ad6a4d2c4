import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { transaction } from '../../shared/db/transaction.ts';
import { removeLooseFiles } from '../../shared/platform/storage/loose-files.ts';
import { newActor } from '../support/actors.ts';
import { startApi } from '../support/api.ts';
import { type Client, clientOf } from '../support/client.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { bothStores, type TestStore } from '../support/stores.ts';
import { sha256 } from '../support/tus.ts';
import { until } from '../support/until.ts';

const AT_ONCE = 8;
const running = new AbortController().signal;

for (const store of await bothStores()) {
  const own = await freshDatabase();
  after(() => own.drop());

  test(`an API that is killed under many small files loses none that it answered, and leaves none in ${store.name}`, async () => {
    const { dataDir, storageUrl } = store.settings;
    const environment = { DATABASE_URL: own.url, DATA_DIR: dataDir, STORAGE_URL: storageUrl ?? '' };
    const port = await freePort();
    const { secret, organization_id } = await newActor(own.database);
    const client = clientOf(`http://127.0.0.1:${port}`, { Authorization: `Bearer ${secret}` });
    /** By name, the hash of what was answered. */
    const answered = new Map<string, string>();
    let sent = 0;

    /** Sends one file after the other until the API is gone. */
    async function sending(): Promise<void> {
      for (;;) {
        sent += 1;
        const name = `${sent}`;
        const content = randomBytes(1 + (sent % 20) * 1_000);
        const reply = await client
          .send('PUT', `/cloud/folders/root/files/${name}`, content)
          .catch(() => null);
        if (reply === null) return;
        assert.equal(reply.status, 201, reply.text);
        answered.set(name, sha256(content));
      }
    }

    const waiting = async () => {
      const rows = await own.database.withConnection('*', ({ query }) =>
        query(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`),
      );
      return rows.length;
    };

    for (const files of [12, 40]) {
      const api = await startApi(port, environment);
      const before = answered.size;
      const all = Array.from({ length: AT_ONCE }, sending);
      await until('so many are answered', () => answered.size >= before + files);
      await api.kill();
      await Promise.all(all);
    }
    const api = await startApi(port, environment);
    await withTreeAlone(own, organization_id, async () => {
      const before = store.left().length;
      const all = Array.from({ length: AT_ONCE }, sending);
      await until('all bytes are there and no row', async () => {
        return (await waiting()) >= AT_ONCE && store.left().length >= before + AT_ONCE;
      });
      await api.kill();
      await Promise.all(all);
    });
    await until('their transactions have ended', async () => (await waiting()) === 0);

    await startApi(port, environment);
    const found = await filesOf(client);
    for (const [name, hash] of answered) assert.equal(found.get(name)?.sha256, hash, name);
    for (const { id, sha256: hash } of found.values()) {
      const content = await fetch(`http://127.0.0.1:${port}/api/v1/cloud/files/${id}/content`, {
        headers: { Authorization: `Bearer ${secret}` },
      });
      assert.equal(sha256(Buffer.from(await content.arrayBuffer())), hash);
    }
    const tomorrow = new Date(Date.now() + 25 * 60 * 60_000);
    await removeLooseFiles({ database: own.database, storage: store.storage }, tomorrow, running);
    await nothingElse(own, store, found.size);
  });
}

/** Keeps everybody from putting something into a folder of the organization until `run` has settled. */
function withTreeAlone({ database }: TestDatabase, organization_id: string, run: () => Promise<void>) {
  return database.withConnection('*', (connection) =>
    transaction(connection, async () => {
      await connection.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      await connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `cloud_items ${organization_id}`,
      ]);
      await run();
    }),
  );
}

type Found = { id: string; name: string; sha256: string };

/** All files, by their names: fewer than a page holds. */
async function filesOf(client: Client): Promise<Map<string, Found>> {
  const { items } = (await client.get('/cloud/files?limit=200')).body;
  return new Map((items as Found[]).map((file) => [file.name, file]));
}

/** In the store is what versions name, the quota counts that, and nothing waits to be removed. */
async function nothingElse({ database }: TestDatabase, store: TestStore, count: number): Promise<void> {
  await database.withConnection('*', async ({ query }) => {
    const versions = await query<{ storage_key: string; size_bytes: number }>(
      'SELECT storage_key, size_bytes FROM cloud_versions',
    );
    assert.equal(versions.length, count);
    const left = store.left().map((path) => path.split('/').slice(-4).join('/'));
    assert.deepEqual(left.sort(), versions.map(({ storage_key }) => storage_key).sort());
    const [used] = await query<{ used_bytes: number; reserved_bytes: number }>(
      'SELECT used_bytes, reserved_bytes FROM cloud_usage',
    );
    const bytes = versions.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
    assert.deepEqual([used!.used_bytes, used!.reserved_bytes], [bytes, 0]);
    assert.deepEqual(await query('SELECT * FROM loose_files'), []);
    assert.equal((await query('SELECT FROM files')).length, count);
  });
}
