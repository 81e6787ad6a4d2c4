import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Upload } from 'tus-js-client';
import { newActor } from '../support/actors.ts';
import { startApi } from '../support/api.ts';
import { clientOf } from '../support/client.ts';
import { freshDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { bothStores } from '../support/stores.ts';
import { forwardTo } from '../support/tcp-forward.ts';
import { tusOf } from '../support/tus.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

const MiB = 1024 * 1024;
const SIZE = 20 * MiB + 12_345;

/** As often a line is cut, and the process of the API killed. */
const CUTS = 5;
const KILLS = 2;

const own = await freshDatabase();
const folder = mkdtempSync(join(tmpdir(), 'resumed-'));
after(() => own.drop());
after(() => rmSync(folder, { recursive: true, force: true }));

/** What sha256sum says of a content. */
function sha256sum(bytes: Uint8Array): string {
  const path = join(folder, 'content');
  writeFileSync(path, bytes);
  return execFileSync('sha256sum', [path], { encoding: 'utf8' }).slice(0, 64);
}

for (const { name, settings } of await bothStores()) {
  test(`a client of tus sends every byte to ${name}, though lines break and the API is killed`, async () => {
    const environment = {
      DATABASE_URL: own.url,
      DATA_DIR: settings.dataDir,
      STORAGE_URL: settings.storageUrl ?? '',
    };
    const { secret } = await newActor(own.database);
    const port = await freePort();
    let api = await startApi(port, environment);
    await startWorkers(environment, ['--queues', 'storage']);
    let cuts = 0;
    const forward = await forwardTo(port, () => (cuts++ < CUTS ? randomInt(1, 3 * MiB) : null));
    const content = randomBytes(SIZE);

    /** The most that any answer has told. */
    let told = 0;
    const { promise: done, resolve, reject } = Promise.withResolvers<void>();
    const upload = new Upload(content, {
      endpoint: `http://127.0.0.1:${forward}/api/v1/cloud/uploads`,
      headers: { Authorization: `Bearer ${secret}` },
      metadata: { filename: '動画.mp4', sha256: sha256sum(content) },
      chunkSize: MiB,
      // While the API starts again nobody answers.
      retryDelays: Array.from({ length: 300 }, () => 200),
      onAfterResponse(request, response) {
        const offset = Number(response.getHeader('Upload-Offset') ?? -1);
        if (offset < 0 || response.getStatus() >= 300) return;
        if (request.getMethod() === 'HEAD') assert.ok(offset >= told, `${offset} after ${told}`);
        told = Math.max(told, offset);
      },
      onError: reject,
      onSuccess: () => resolve(),
    });
    upload.start();
    for (let kill = 1; kill <= KILLS; kill++) {
      const target = (SIZE * kill) / (KILLS + 1);
      await until('it goes on', () => told >= target);
      await api.kill();
      api = await startApi(port, environment);
    }
    await done;
    assert.ok(cuts > CUTS);

    const client = clientOf(`http://127.0.0.1:${port}`, { Authorization: `Bearer ${secret}` });
    const id = upload.url!.split('/').at(-1)!;
    const completed = await until('it is completed', async () => {
      const shown = await tusOf(client).read(id);
      return shown.status === 'completed' && shown;
    });
    const response = await fetch(
      `http://127.0.0.1:${port}/api/v1/cloud/files/${completed.result_file_id}/content`,
      { headers: { Authorization: `Bearer ${secret}` } },
    );
    assert.equal(sha256sum(new Uint8Array(await response.arrayBuffer())), sha256sum(content));
    const { items } = (await client.get('/cloud/files')).body;
    assert.deepEqual(
      items.map((file: { name: string; size_bytes: number }) => [file.name, file.size_bytes]),
      [['動画.mp4', SIZE]],
    );
    await api.kill();
  });
}
