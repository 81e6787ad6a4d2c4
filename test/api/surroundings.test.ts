import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { startApi } from '../support/api.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { startClamd } from '../support/clamd.ts';
import { freshDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { fetchAsOperator, WITH_OPERATORS } from '../support/operators.ts';
import type { Program } from '../support/program.ts';
import { startS3 } from '../support/s3.ts';
import { until } from '../support/until.ts';

const s3 = await startS3();
const folder = mkdtempSync(join(tmpdir(), 'surroundings-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const MINUTE = 60_000;

const readyz = async ({ base_url }: TestApp) => {
  const reply = await fetch(`${base_url}/readyz`);
  const { checks } = (await reply.json()) as { checks: Record<string, boolean> };
  return { status: reply.status, checks };
};
const page = async ({ base_url }: TestApp) => (await fetchAsOperator(`${base_url}/ops`)).text();
const metrics = async ({ base_url }: TestApp) => (await fetch(`${base_url}/metrics`)).text();

describe('the start of the API says in one line each what is missing', () => {
  const said = (program: Program, words: RegExp) =>
    until(`the log says ${words}`, () => program.lines.find(({ msg }) => words.test(msg)));
  const times = (program: Program, words: RegExp) =>
    program.lines.filter(({ msg }) => words.test(msg)).length;

  test('a database that does not answer, and a bucket that does not exist; first of all what runs', async () => {
    const nobody = await freePort();
    const api = await startApi(await freePort(), {
      DATABASE_URL: `postgres://service@127.0.0.1:${nobody}/none`,
      STORAGE_URL: s3.url.replace('/files', '/misspelt'),
      GIT_COMMIT: '0123456789abcdef0123456789abcdef01234567',
    });
    assert.equal((await said(api, /^The database does not answer: connect ECONNREFUSED/)).level, 40);
    const bucket = await said(api, /^File storage does not answer: the bucket misspelt does not exist/);
    assert.equal(bucket.level, 40);
    const { msg, version, commit } = api.lines[0]!;
    assert.deepEqual([msg, commit], ['The API is starting', '0123456789abcdef0123456789abcdef01234567']);
    assert.match(String(version), /^\d+\.\d+\.\d+$/);
    await api.stop();
    // Of that reason: while the process loads, a look may end without having waited for the refusal.
    assert.equal(times(api, /^The database does not answer: connect ECONNREFUSED/), 1);
  });

  test('migrations that are not applied, and that they are', async () => {
    const { url, database, drop } = await freshDatabase();
    after(drop);
    const run = (text: string, values: string[] = []) =>
      database.withConnection('*', ({ query }) => query<{ name: string }>(text, values));
    const [last] = await run(
      'DELETE FROM knex_migrations WHERE id = (SELECT max(id) FROM knex_migrations) RETURNING name',
    );
    const port = await freePort();
    const api = await startApi(port, { DATABASE_URL: url, DATA_DIR: folder });
    await said(api, new RegExp(`^The database lacks 1 migrations .* ${last!.name} on: run npm run migrate$`));
    assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 503);
    await run('INSERT INTO knex_migrations (name, batch, migration_time) VALUES ($1, 99, now())', [
      last!.name,
    ]);
    await said(api, /^The migrations are applied$/);
    assert.equal(times(api, /^File storage/), 0);
    await until('it is ready', async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
  });
});

describe('a store that goes away', () => {
  test('is told by /readyz, whose status stays, by a number and on /ops', async () => {
    const own = await startS3();
    const app = await startApp({ environment: { ...WITH_OPERATORS, STORAGE_URL: own.url } });
    assert.deepEqual([(await readyz(app)).status, (await readyz(app)).checks['store']], [200, true]);
    assert.match(await metrics(app), /^storage_up 1$/m);
    await own.stop();
    await until('it is noticed', async () => !(await readyz(app)).checks['store']);
    assert.equal((await readyz(app)).status, 200);
    assert.match(
      await page(app),
      /class="bad">[\s\S]*Files cannot be kept[\s\S]*File storage does not answer/,
    );
    await until('the number follows', async () => /^storage_up 0$/m.test(await metrics(app)));
  });

  test('that is silent does not hold up /readyz', async () => {
    const { promise: never } = Promise.withResolvers<never>();
    const whole = await startApp();
    const storage = { ...whole.context.storage, check: () => never };
    const app = await startApp({ storage });
    assert.equal((await readyz(app)).status, 200);
    await until('it counts as away', async () => !(await readyz(app)).checks['store']);
    assert.equal((await readyz(app)).status, 200);
  });
});

describe('a scanner', () => {
  test('that is not set is not shown', async () => {
    const app = await startApp({ environment: WITH_OPERATORS });
    assert.ok(!('scanner' in (await readyz(app)).checks));
    assert.doesNotMatch(await metrics(app), /^scanner_up /m);
    assert.doesNotMatch(await page(app), /Scanner|not scanned/);
  });

  test('that goes away is shown by /readyz, whose status stays, by a number and on /ops', async () => {
    const clamd = await startClamd();
    const app = await startApp({ environment: { ...WITH_OPERATORS, CLAMD_URL: clamd.url } });
    assert.deepEqual([(await readyz(app)).status, (await readyz(app)).checks['scanner']], [200, true]);
    assert.match(await metrics(app), /^scanner_up 1$/m);
    assert.match(await metrics(app), /^files_pending 0$/m);
    assert.match(await page(app), /<dt>Scanner<\/dt><dd>answers/);
    await clamd.stop();
    await until('it is noticed', async () => !(await readyz(app)).checks['scanner']);
    assert.equal((await readyz(app)).status, 200);
    assert.match(await page(app), /Files are not scanned[\s\S]*clamd does not answer: .*files stay pending/);
    await until('the number follows', async () => /^scanner_up 0$/m.test(await metrics(app)));
    await clamd.start();
    await until('its return is noticed', async () => (await readyz(app)).checks['scanner']);
  });
});

describe('a clock that is off', () => {
  test('is told by /readyz, whose status stays, by a number and on /ops', async () => {
    const ahead = await startApp({
      environment: WITH_OPERATORS,
      now: () => new Date(Date.now() + 10 * MINUTE),
    });
    const { status, checks } = await readyz(ahead);
    assert.deepEqual([status, checks['clock']], [200, false]);
    const [, seconds] = /^clock_offset_seconds ([\d.]+)$/m.exec(await metrics(ahead)) ?? [];
    assert.ok(Number(seconds) > 500 && Number(seconds) < 700, `${seconds} s`);
    assert.match(await page(ahead), /The clock is wrong[\s\S]*10 minutes ahead of the database/);
  });
});
