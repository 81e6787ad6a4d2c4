import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { startApp } from '../../../support/app.ts';
import { looseFiles, storedFiles } from '../../../support/stored.ts';
import { until } from '../../../support/until.ts';
import { uploading } from '../../../support/uploads.ts';

/** Takes whole files and answers none of them. */
const scans: Socket[] = [];
const silent = createServer((socket) => {
  scans.push(socket.on('error', () => undefined).resume());
}).listen(0, '127.0.0.1');
after(() => silent.close());
await once(silent, 'listening');
const { port } = silent.address() as { port: number };
const app = await startApp({
  endpoints: [uploading({ path: 'raw', method: 'put', file: { raw: true } })],
  environment: { CLAMD_URL: `tcp://127.0.0.1:${port}` },
});
const client = await app.actor();

test('a sender who goes while the scanner is waited for ends the scan and leaves no file', async () => {
  const sent = request(`${app.base_url}/api/v1/mail/raw`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${client.actor.secret}`, 'Content-Length': 3 },
  });
  sent.on('error', () => undefined);
  sent.end('abc');
  await until('the file is stored and not yet kept', async () => (await looseFiles(app)).length === 1);
  await until('all of it is with the scanner', () => {
    // The command, the length and the content of the chunk, and the end: 10 + 4 + 3 + 4 bytes.
    return scans[0]?.bytesRead === 21;
  });
  sent.destroy();
  await until('the scan has ended', () => scans[0]!.destroyed);
  await until('no upload is under way', async () => (await looseFiles(app)).length === 0);
  assert.deepEqual(storedFiles(app), []);
  const rows = await app.database.withConnection(client.actor.organization_id, ({ query }) =>
    query('SELECT FROM files'),
  );
  assert.equal(rows.length, 0);
});
