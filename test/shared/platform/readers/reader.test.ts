import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { ReaderFailure } from '../../../../shared/platform/readers/failure.ts';
import { makerOf, readerOf } from '../../../../shared/platform/readers/reader.ts';
import { until } from '../../../support/until.ts';
import type { Trick } from './fixtures/hostile.ts';

const MODULE = new URL('fixtures/hostile.ts', import.meta.url);

const OPTIONS = { module: MODULE, time_limit: 120_000, most_memory: 64, most_answer: 1024 * 1024 };

/** Far more time than a machine under load needs, where the time is not what ends it. */
function reader(time_limit = 120_000) {
  return readerOf<{ trick: Trick }, unknown>({ ...OPTIONS, time_limit });
}

async function failureOf(trick: Trick, time_limit?: number): Promise<Pick<ReaderFailure, 'reason' | 'word'>> {
  const failure = await reader(time_limit)({ trick }, Buffer.alloc(0)).then(
    () => assert.fail('It was read'),
    (error) => error,
  );
  assert.ok(failure instanceof ReaderFailure, String(failure));
  const { reason, word } = failure;
  return { reason, word };
}

/** Processes that run the fixture. */
async function running(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map(async (pid) => [pid, await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')]),
  );
  return lines.filter(([, line]) => line!.endsWith(`\0${MODULE.href}\0`)).map(([pid]) => pid!);
}

describe('a reader of foreign files', () => {
  it('answers what its module makes of the bytes', async () => {
    const content = '{"a":1}\nサービス\n';
    assert.equal(await reader()({ trick: 'echo' }, Buffer.from(content)), content);
  });

  it('is handed a file piece by piece, and fails with what the pieces fail with', async () => {
    const parts = Array.from({ length: 5 }, (_, n) => Buffer.alloc(100_000, String(n)));
    const content = Buffer.concat(parts).toString();
    const size = content.length;
    async function* pieces(broken = false) {
      yield* parts.slice(0, 3);
      if (broken) throw new Error('The store is away');
      yield* parts.slice(3);
    }
    assert.equal(await reader()({ trick: 'echo' }, { size, pieces: pieces() }), content);
    const fresh = parts.map((_, n) => Buffer.alloc(100_000, String(n)));
    parts.splice(0, parts.length, ...fresh);
    await assert.rejects(reader()({ trick: 'echo' }, { size, pieces: pieces(true) }), /The store is away/);
  });

  it('answers a file that its module makes', async () => {
    const make = makerOf<{ trick: Trick }, number>(OPTIONS);
    const content = Buffer.alloc(500_000, 'file');
    const made = await make({ trick: 'make' }, content);
    assert.equal(made.answer, content.length);
    assert.deepEqual(made.content, Buffer.concat([content, content]));
  });

  it('reads as many files in one process as it says, and none after one that was refused', async () => {
    const read = readerOf<{ trick: Trick }, number>({ ...OPTIONS, files: 3 });
    const ask = (trick: Trick) => read({ trick }, Buffer.alloc(0));
    const first = await ask('process');
    assert.equal(await ask('process'), first);
    assert.equal(await ask('process'), first);
    const second = await ask('process');
    assert.notEqual(second, first);
    await assert.rejects(ask('refuse'), { reason: 'refused' });
    assert.notEqual(await ask('process'), second);
  });

  it('starts another process where the one that waits was killed', async () => {
    const read = readerOf<{ trick: Trick }, number>({ ...OPTIONS, files: 3 });
    const first = await read({ trick: 'process' }, Buffer.alloc(0));
    process.kill(first, 'SIGKILL');
    await until('another one reads', async () => {
      const next = await read({ trick: 'process' }, Buffer.alloc(0)).catch(() => first);
      return next !== first;
    });
  });

  it('has no setting of this process, no file but the sources, and no network', async () => {
    const read = reader();
    assert.deepEqual(await read({ trick: 'environment' }, Buffer.alloc(0)), []);
    assert.equal(await read({ trick: 'read_file' }, Buffer.alloc(0)), 'ERR_ACCESS_DENIED');
    assert.equal(await read({ trick: 'connect' }, Buffer.alloc(0)), 'ERR_ACCESS_DENIED');
  });

  it('fails with the word of a module that refuses the file', async () => {
    assert.deepEqual(await failureOf('refuse'), { reason: 'refused', word: 'not_a_file' });
  });

  it('fails where its module does', async () => {
    assert.deepEqual(await failureOf('throw'), { reason: 'crashed', word: null });
  });

  it('is killed at the end of its time', async () => {
    assert.deepEqual(await failureOf('spin', 300), { reason: 'time', word: null });
  });

  it('may wait for a processor beyond its time, as on a machine that is busy', async () => {
    assert.equal(await reader(3_000)({ trick: 'wait' }, Buffer.from('3500')), 'waited');
  });

  it('is killed where it waits for ever', async () => {
    await assert.rejects(reader(300)({ trick: 'wait' }, Buffer.from('1000000')), { reason: 'time' });
  });

  it('is killed where its objects, or what it keeps beside them, take more memory than it may', async () => {
    assert.deepEqual(await failureOf('fill_heap'), { reason: 'memory', word: null });
    assert.deepEqual(await failureOf('fill_buffers'), { reason: 'memory', word: null });
  });

  it('is killed where it says more than it may', async () => {
    assert.deepEqual(await failureOf('long_answer'), { reason: 'answer_too_large', word: null });
  });

  it('reads two files at a time, and a third one when one of them has ended', async () => {
    const read = reader();
    const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
    const aborted = { reason: 'aborted' };
    const ends = [first, second, third].map(({ signal }) =>
      assert.rejects(read({ trick: 'spin' }, Buffer.alloc(0), signal), aborted),
    );
    await until('two of them run', async () => (await running()).length === 2);
    const before = await running();
    first.abort();
    await ends[0];
    await until('the third one runs', async () => (await running()).some((pid) => !before.includes(pid)));
    assert.equal((await running()).length, 2);
    second.abort();
    third.abort();
    await Promise.all(ends);
    assert.deepEqual(await running(), []);
  });
});
