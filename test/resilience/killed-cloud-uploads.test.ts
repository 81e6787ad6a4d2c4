import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { expireUploads } from '../../shared/cloud/uploads/sweep.ts';
import { freeSilentReservations } from '../../shared/cloud/usage/reservations.ts';
import { removeLooseFiles } from '../../shared/platform/storage/loose-files.ts';
import { newActor } from '../support/actors.ts';
import { startApi } from '../support/api.ts';
import { type Client, clientOf } from '../support/client.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { whileHeld } from '../support/held.ts';
import { bothStores, type TestStore } from '../support/stores.ts';
import { patching, sha256, tusOf } from '../support/tus.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

const MiB = 1024 * 1024;
const SIZE = 9 * MiB;
const running = new AbortController().signal;

/** What one API was sent at once, in an organization of its own: a form, a PUT and a resumable upload of one content. */
type Sent = {
  organization_id: string;
  secret: string;
  id: string;
  content: Buffer;
  sockets: Socket[];
};

type Row = Record<string, unknown>;

for (const store of await bothStores()) {
  const own = await freshDatabase();
  after(() => own.drop());

  test(`an API that is killed between bytes and rows loses nothing, doubles nothing, leaves nothing in ${store.name}`, async () => {
    const { dataDir, storageUrl } = store.settings;
    const environment = { DATABASE_URL: own.url, DATA_DIR: dataDir, STORAGE_URL: storageUrl ?? '' };
    const port = await freePort();
    const base_url = `http://127.0.0.1:${port}`;
    const rows = (text: string, values: unknown[] = []) =>
      own.database.withConnection('*', ({ query }) => query<Row>(text, values));
    const waiting = async () =>
      (
        await rows(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
      ).length;

    /** Sends the beginning of all three, up to the first byte of the content. */
    async function begin(): Promise<Sent> {
      const actor = await newActor(own.database);
      const { organization_id, secret } = actor;
      const content = randomBytes(SIZE);
      const tus = tusOf(clientOf(base_url, { Authorization: `Bearer ${secret}` }));
      const id = await tus.begin(SIZE, { filename: 'tus' });
      const head = `--x\r\nContent-Disposition: form-data; name="file"; filename="form"\r\n\r\n`;
      const sockets = [
        await requesting(port, secret, 'POST', '/cloud/files', {
          'Content-Type': 'multipart/form-data; boundary=x',
          'Content-Length': String(head.length + SIZE + '\r\n--x--\r\n'.length),
        }),
        await requesting(port, secret, 'PUT', '/cloud/folders/root/files/put', {
          'Content-Length': String(SIZE),
        }),
        await patching(base_url, { actor, id, at: 0, length: SIZE }),
      ];
      // The parser tells of a file when its first byte is there.
      sockets[0]!.write(Buffer.concat([Buffer.from(head), content.subarray(0, 1)]));
      await until('all have their room', async () => {
        const found = await rows('SELECT FROM cloud_reservations WHERE organization_id = $1', [
          organization_id,
        ]);
        const turns = await rows('SELECT FROM cloud_uploads WHERE id = $1 AND writer IS NOT NULL', [id]);
        return found.length === 3 && turns.length === 1;
      });
      return { organization_id, secret, id, content, sockets };
    }

    const send = async ({ sockets, content }: Sent, end = SIZE) => {
      const rest = (index: number) => content.subarray(index === 0 ? 1 : 0, end);
      await Promise.all(sockets.map((socket, index) => written(socket, rest(index))));
      if (end === SIZE) sockets[0]!.write('\r\n--x--\r\n');
    };

    /** How far each API comes before it is killed. */
    const steps: Record<string, (sent: Sent, kill: () => Promise<void>) => Promise<void>> = {
      'room is taken': (_, kill) => kill(),
      'some bytes are there': async (sent, kill) => {
        await send(sent, 8 * MiB + 1_000);
        await kill();
      },
      'all bytes are there and no row': async (sent, kill) =>
        // They wait there for their room to become used: what follows is sent with the COMMIT.
        whileHeld(own.database, 'cloud_usage', async () => {
          await send(sent);
          await until('all three are about to write their rows', async () => (await waiting()) >= 3);
          await kill();
        }),
      'all rows are there and no answer': async (sent, kill) => {
        await send(sent);
        await until('all are committed', async () => {
          const found = await rows('SELECT FROM cloud_items WHERE organization_id = $1', [
            sent.organization_id,
          ]);
          return found.length === 3;
        });
        await kill();
      },
    };

    const all: Sent[] = [];
    for (const step of Object.values(steps)) {
      const api = await startApi(port, environment);
      const sent = await begin();
      await step(sent, () => api.kill());
      for (const socket of sent.sockets) socket.destroy();
      all.push(sent);
    }

    await startApi(port, environment);
    await startWorkers(environment, ['--queues', 'storage']);
    for (const [index, sent] of all.entries()) {
      const client = clientOf(base_url, { Authorization: `Bearer ${sent.secret}` });
      const whole = index === all.length - 1;
      await completed(client, sent);
      const { items } = (await client.get('/cloud/files?sort=name:asc')).body;
      const found = items.map((file: { name: string; sha256: string }) => [file.name, file.sha256]);
      const names = whole ? ['form', 'put', 'tus'] : ['tus'];
      assert.deepEqual(
        found,
        names.map((name) => [name, sha256(sent.content)]),
        Object.keys(steps)[index]!,
      );
    }
    await sweep(own, store);
    await nothingElse(own, store);
  });
}

/** Goes on with the resumable upload to its end. */
async function completed(client: Client, { id, content }: Sent): Promise<void> {
  const tus = tusOf(client);
  const head = await tus.head(id);
  assert.equal(head.status, 200);
  const at = Number(head.headers.get('upload-offset'));
  if (at < SIZE) assert.equal((await tus.patch(id, at, content.subarray(at))).status, 204);
  await until('it is completed', async () => (await tus.read(id)).status === 'completed');
}

/** What workers do by the next day. */
async function sweep({ database }: TestDatabase, { storage }: TestStore): Promise<void> {
  const tomorrow = new Date(Date.now() + 25 * 60 * 60_000);
  await freeSilentReservations(database, tomorrow);
  await expireUploads(database, tomorrow, running);
  await removeLooseFiles({ database, storage }, tomorrow, running);
}

/** In the store is what versions name, and the quota counts that. */
async function nothingElse({ database }: TestDatabase, store: TestStore): Promise<void> {
  await database.withConnection('*', async ({ query }) => {
    const versions = await query<{ storage_key: string; size_bytes: number }>(
      'SELECT storage_key, size_bytes FROM cloud_versions ORDER BY storage_key COLLATE "C"',
    );
    const left = store.left().map((path) => path.split('/').slice(-4).join('/'));
    assert.deepEqual(left.sort(), versions.map(({ storage_key }) => storage_key).sort());
    const [used] = await query<{ used: number; reserved: number }>(
      'SELECT sum(used_bytes)::bigint AS used, sum(reserved_bytes)::bigint AS reserved FROM cloud_usage',
    );
    assert.deepEqual([used!.used, used!.reserved], [versions.length * SIZE, 0]);
    for (const table of ['cloud_reservations', 'loose_files']) {
      assert.deepEqual(await query(`SELECT * FROM ${table}`), [], table);
    }
    assert.equal((await query('SELECT FROM files')).length, versions.length);
  });
}

/** Opens a request by hand. */
async function requesting(
  port: number,
  secret: string,
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const lines = Object.entries({ Host: 'localhost', Authorization: `Bearer ${secret}`, ...headers });
  socket.write(
    `${method} /api/v1${path} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`,
  );
  return socket;
}

/** Resolves once the bytes have left this process. */
function written(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => socket.write(bytes, () => resolve()));
}
