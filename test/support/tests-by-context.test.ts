import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

/** One test for each way from a test to what it began: a timer, a socket, a promise, a hook, a test within. */
const TESTS = `
import { EventEmitter } from 'node:events';
import { createServer, get } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
const say = (words) => console.log('said: ' + words);
const server = createServer((_, response) => response.end('x')).listen(0, '127.0.0.1');
await new Promise((done) => server.once('listening', done));
const answer = () => new Promise((done) => get({ port: server.address().port, agent: false }, done));
after(() => { server.close(); say('end of the file'); });
test('ends what it began', async () => {
  (await answer()).resume();
  after(() => say('end of the first'));
});
test('ends what its timer began', async () => {
  await new Promise((done) => setTimeout(() => { after(() => say('end of the second')); done(); }, 1));
});
test('has tests within', async (t) => {
  await t.test('by its own', async () => { await pause(1); after(() => say('end of the inner')); });
  await test('by the file', () => {});
  say('end of the outer');
});
describe('a suite', () => {
  before(async () => { await pause(1); after(() => say('end of the hook')); });
  after(() => say('end of the suite'));
  test('first', async () => { await pause(1); after(() => say('end of the first in the suite')); });
  test('last', () => say('last in the suite'));
});
const forever = () => new Promise(() => {});
const fail = (why) => { throw new Error(why); };
test('fails in a timer', () => { setTimeout(fail, 1, 'timer'); return forever(); });
test('fails in a turn', () => { setImmediate(fail, 'turn'); return forever(); });
test('fails in a tick', () => { process.nextTick(fail, 'tick'); return forever(); });
test('fails in a promise', () => { void pause(1).then(() => fail('promise')); return forever(); });
test('fails in a function', () => { void (async () => { await pause(1); fail('function'); })(); return forever(); });
test('fails in an emitter', () => { setTimeout(() => new EventEmitter().emit('error', new Error('emitter')), 1); return forever(); });
test('fails in an answer', () => { get({ port: server.address().port, agent: false }, () => fail('answer')); return forever(); });
test('fails when it has ended', () => { setTimeout(fail, 5, 'late timer'); void pause(5).then(() => fail('late promise')); });
test('goes on', () => pause(30));
`;

const folder = mkdtempSync(join(tmpdir(), 'tests-by-context-'));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'every-way.mjs');
writeFileSync(file, TESTS);

/** What became of each test, in order: without times, places and lines of a trace. */
async function told(words: string[]): Promise<{ code: number; lines: string[] }> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { code, out } = await new Promise<{ code: number; out: string }>((done) => {
    execFile(process.execPath, [...words, file], { env }, (error, stdout) =>
      done({ code: error ? Number(error.code) : 0, out: stdout }),
    );
  });
  const lines = out
    .split('\n')
    .filter((line) => /^said: |[✔✖▶]|^ℹ (?!duration)|Error: /.test(line))
    .map((line) => line.replace(/ \([\d.]+ms\)/, ''));
  return { code, lines };
}

test('a runner that goes by contexts tells what one that follows each promise tells', async () => {
  const together = join(import.meta.dirname, 'together.ts');
  const [by_context, by_itself] = [
    await told([together]),
    await told(['--test', '--test-isolation=none', '--test-reporter=spec']),
  ];
  assert.deepEqual(by_context, by_itself);
  const { code, lines } = by_context;
  assert.equal(code, 1);
  for (const said of ['ℹ pass 9', 'ℹ fail 7', 'said: end of the inner'])
    assert.ok(lines.includes(said), lines.join('\n'));
  for (const [before, behind] of [
    ['said: end of the first', '✔ ends what it began'],
    ['said: end of the second', '✔ ends what its timer began'],
    ['said: end of the inner', 'said: end of the outer'],
    ['said: end of the first in the suite', 'said: last in the suite'],
    ['said: last in the suite', 'said: end of the suite'],
    ['✔ goes on', 'said: end of the file'],
  ] as const)
    assert.ok(
      lines.indexOf(before) < lines.findIndex((line) => line.trim() === behind),
      `${before}: ${lines.join('\n')}`,
    );
  for (const late of ['late timer', 'late promise'])
    assert.ok(lines.some((line) => line.includes('"fails when it has ended"') && line.includes(late)));
});
