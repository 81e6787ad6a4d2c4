import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';

const root = resolve(import.meta.dirname, '../..');
const begun: ChildProcess[] = [];
let test_database: TestDatabase;
let environment: NodeJS.ProcessEnv;

before(async () => {
  test_database = await freshDatabase();
  const AUTH_SECRET = 'a secret of the tests, long enough';
  const PORT = String(await freePort());
  environment = { ...process.env, DATABASE_URL: test_database.url, AUTH_SECRET, PORT };
});
after(async () => {
  for (const { pid } of begun) endGroup(pid!);
  await test_database.drop();
});

test('the API and the workers that npm runs drain when npm is asked to end, and a taken port is one sentence', async () => {
  const [api, workers] = [npmRun('api'), npmRun('workers', ['--queues', 'email'])];
  await until('both serve', () => /is listening/.test(api.text()) && /are ready/.test(workers.text()));

  const second = npmRun('api');
  assert.equal(await second.ended(), 1);
  const { PORT } = environment;
  const sentence = `The API cannot listen on HOST 127.0.0.1, PORT ${PORT}: address already in use (EADDRINUSE).`;
  assert.deepEqual(second.text().match(/^.*(listen| {4}at ).*$/gm), [sentence]);

  for (const { child } of [api, workers]) child.kill('SIGTERM');
  await Promise.all([api.ended(), workers.ended()]);
  assert.match(api.text(), /The API is draining/);
  assert.match(workers.text(), /The workers have stopped/);
});

type Run = { child: ChildProcess; text: () => string; ended: () => Promise<number | null> };

/** `ended` waits until nobody holds the output any more: not npm, and nothing that it has started. */
function npmRun(script: string, words: string[] = []): Run {
  const child = spawn('npm', ['run', '--silent', script, '--', ...words], {
    cwd: root,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  begun.push(child);
  let text = '';
  for (const output of [child.stdout, child.stderr])
    output.on('data', (chunk) => {
      text += chunk;
    });
  let closed = false;
  child.once('close', () => {
    closed = true;
  });
  const ended = async () => {
    await until(`npm run ${script} leaves nothing behind`, () => closed);
    return child.exitCode;
  };
  return { child, text: () => text, ended };
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
