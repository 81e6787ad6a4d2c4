import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Failure } from '../../../../shared/kernel/failure.ts';
import type { Scanner } from '../../../../shared/platform/intake/scanner.ts';
import { type TakeOptions, takeFile } from '../../../../shared/platform/intake/take-file.ts';
import { startApp } from '../../../support/app.ts';
import { looseFiles } from '../../../support/stored.ts';

const app = await startApp();
const { actor } = await app.actor();
const { organization_id } = actor;
const MiB = 1024 * 1024;
const content = randomBytes(2 * MiB + 7);
const sha256 = createHash('sha256').update(content).digest('hex');
const names = { file_name: 'a.bin', media_type: 'text/plain' };

/** Chunks whose memory is gone once the next one is asked for, as those of a request are. */
async function* passing(size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += size) {
    const lent = Buffer.from(new Uint8Array(content.subarray(at, at + size)).buffer);
    yield lent;
    (lent.buffer as ArrayBuffer).transfer(0);
  }
}

/** A scanner that reads a chunk some turns after it was handed over, and what it read. */
function slowScanner(): { scanner: Scanner; read: Buffer[] } {
  const read: Buffer[] = [];
  const scanner: Scanner = {
    begin: () => ({
      async send(chunk) {
        for (let turns = 0; turns < 3; turns += 1) await turn();
        read.push(Buffer.from(chunk));
      },
      isDecided: () => false,
      end: async () => ({ scan: 'clean', finding: null }),
      abandon: () => undefined,
    }),
    check: async () => undefined,
  };
  return { scanner, read };
}

const take = (scanner: Scanner | null, options: Partial<TakeOptions>) =>
  takeFile(
    { ...app.context, scanner },
    { organization_id, limit: 5 * MiB, into: 'store', now: new Date(), ...options },
    { body: passing(70_000), ...names },
  );

for (const into of ['store', 'memory', 'look'] as const) {
  test(`who takes a file (${into}) is done with a chunk before the next one comes`, async () => {
    const { scanner, read } = slowScanner();
    const arrived: number[] = [];
    const keepUp = async (bytes: number) => {
      await turn();
      arrived.push(bytes);
    };
    const file = await take(scanner, { into, keepUp });
    assert.deepEqual([file.size, file.sha256], [content.length, sha256]);
    assert.ok(file.head.equals(into === 'memory' ? content : content.subarray(0, MiB)));
    assert.equal(arrived.at(-1), content.length);
    if (into !== 'look') assert.ok(Buffer.concat(read).equals(content));
    if (!file.storage_key) return;
    assert.deepEqual(await app.context.storage.stat(file.storage_key), { size: content.length });
  });
}

test('what refuses to keep up with a file refuses it, and nothing of it stays', async () => {
  const before = await looseFiles(app);
  const keepUp = async (bytes: number) => {
    if (bytes > MiB) throw new Failure('quota_exceeded');
  };
  await assert.rejects(take(null, { keepUp }), { code: 'quota_exceeded' });
  assert.deepEqual(await looseFiles(app), before);
});

test('a file that nobody waits for any more is not read on', async () => {
  const left = new AbortController();
  let bytes = 0;
  const keepUp = async (arrived: number) => {
    bytes = arrived;
    left.abort(new Failure('malformed_form'));
  };
  await assert.rejects(take(null, { keepUp, signal: left.signal }), { code: 'malformed_form' });
  assert.equal(bytes, 70_000);
});
