import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { file, stepwiseFile } from '../../../../api/http/files/declarations.ts';
import { Failure } from '../../../../shared/kernel/failure.ts';
import { storeFile } from '../../../../shared/platform/storage/loose-files.ts';
import { startApp } from '../../../support/app.ts';
import { until } from '../../../support/until.ts';

const MiB = 1024 * 1024;
const size = 64 * MiB;
let storage_key = '';

function large() {
  const described = { file_name: 'large.csv', media_type: 'text/csv', size, sha256: 'ab'.repeat(32) };
  return { storage_key, created_at: '2026-04-01T00:00:00.000Z', ...described };
}

/** How often bytes were to begin. */
let begun = 0;

async function begin(): Promise<void> {
  begun += 1;
  assert.ok(opened() > 0 || process.platform !== 'linux', 'it is open by then');
  throw new Failure('limit_reached');
}

const app = await startApp({
  endpoints: [
    file({
      id: 'crm.large.get',
      path: '/api/v1/crm/large',
      scope: 'crm:read',
      summary: 'Answer a large file',
      media_types: ['text/csv'],
      handle: async () => large(),
    }),
    stepwiseFile({
      id: 'crm.refused.get',
      path: '/api/v1/crm/refused',
      scope: 'crm:read',
      summary: 'Refuse a large file when its bytes are to begin',
      media_types: ['text/csv'],
      raises: ['limit_reached'],
      handle: async () => ({ ...large(), delivery: { begin } }),
    }),
  ],
});
const client = await app.actor();
const { actor } = client;
const body = Readable.from(Array(64).fill(Buffer.alloc(MiB, 'a')), { objectMode: false });
const where = { organization_id: actor.organization_id, area: 'jobs', limit: size, now: new Date() };
({ storage_key } = await storeFile(app.context, { ...where, body }));

/** How many of this process's open files are the one that is handed out. */
function opened(): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith(storage_key);
    } catch {
      return false;
    }
  }).length;
}

test('a file is read no faster than it is taken, and closed when its reader goes', async (test) => {
  if (process.platform !== 'linux') return test.skip('only Linux shows the open files of a process');
  const before = process.memoryUsage.rss();
  const sockets = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const socket = connect(Number(new URL(app.base_url).port), '127.0.0.1');
      await once(socket, 'connect');
      socket.write(
        `GET /api/v1/crm/large HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${actor.secret}\r\n\r\n`,
      );
      await once(socket, 'readable');
      return socket;
    }),
  );
  await until('every one is read', () => opened() === 20);
  assert.ok(process.memoryUsage.rss() - before < 200 * MiB);
  for (const socket of sockets) socket.destroy();
  await until('every one is closed', () => opened() === 0);
});

test('a file whose beginning is refused is closed, and has none of its headers', async (test) => {
  if (process.platform !== 'linux') return test.skip('only Linux shows the open files of a process');
  const reply = await client.get('/crm/refused');
  assert.deepEqual([reply.status, reply.body.code, begun], [409, 'limit_reached', 1]);
  assert.equal(reply.headers.get('content-disposition'), null);
  const head = await client.send('HEAD', '/crm/refused');
  assert.deepEqual([head.status, begun], [200, 1], 'HEAD begins no bytes');
  await until('the file is closed', () => opened() === 0);
});
