import assert from 'node:assert/strict';
import { once } from 'node:events';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { removeLooseFiles } from '../../shared/platform/storage/loose-files.ts';
import { openStorage } from '../../shared/platform/storage/open.ts';
import { newActor } from '../support/actors.ts';
import { startApi } from '../support/api.ts';
import { freshDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';

const own = await freshDatabase();
const folder = mkdtempSync(join(tmpdir(), 'killed-'));
after(async () => {
  await own.drop();
  rmSync(folder, { recursive: true, force: true });
});
const { secret } = await newActor(own.database);
const stored = () => globSync('files/*/*/*/*', { cwd: folder });

test('what an API that was killed in the middle of an upload leaves is removed a day later', async () => {
  const port = await freePort();
  const api = await startApi(port, { DATABASE_URL: own.url, DATA_DIR: folder });
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const lines = [
    'POST /api/v1/mail/contacts/import HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${secret}`,
  ];
  lines.push('Content-Type: multipart/form-data; boundary=x', 'Content-Length: 1000000', '', '');
  socket.write(lines.join('\r\n'));
  socket.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nemail\r\n');
  socket.write('a'.repeat(500_000));
  await until('it is being stored', () => stored().length === 1);
  await api.kill();
  assert.match(stored()[0] ?? '', /\.part$/);

  const storage = await openStorage({ dataDir: folder, storageUrl: undefined });
  const files = { database: own.database, storage };
  const tomorrow = new Date(Date.now() + 24 * 60 * 60_000);
  const running = new AbortController().signal;
  assert.equal(await removeLooseFiles(files, new Date(), running), 0);
  assert.equal(await removeLooseFiles(files, tomorrow, running), 1);
  assert.deepEqual(stored(), []);
  assert.equal(await removeLooseFiles(files, tomorrow, running), 0);
});
