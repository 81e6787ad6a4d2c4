import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { openDatabase } from '../../shared/db/database.ts';
import { transaction } from '../../shared/db/transaction.ts';
import { newActor } from '../support/actors.ts';
import { startApi } from '../support/api.ts';
import { clientOf } from '../support/client.ts';
import { freshDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { askForMails, mailStates } from '../support/mail-states.ts';
import { pgbouncerVersion, startPgbouncer } from '../support/pgbouncer.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';
import { assertExactlyOnce, sendContacts } from './senders.ts';

const [major, minor] = pgbouncerVersion;
/** Whether this pgbouncer keeps the prepared statements of its clients apart. */
const isNew = major > 1 || minor >= 21;
const NEEDS_NEW = isNew ? false : `pgbouncer ${major}.${minor} is not served; PGBOUNCER may name a newer one`;

const own = await freshDatabase();
after(() => own.drop());
const folder = mkdtempSync(join(tmpdir(), 'behind-pgbouncer-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs one of the service's programs, which is to end by itself; answers its exit code and what it said. */
async function ended(
  path: string,
  environment: Record<string, string>,
): Promise<{ code: number; said: string }> {
  const child = spawn(process.execPath, [resolve(path)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      AUTH_SECRET: 'a secret of the tests, long enough',
      DATA_DIR: folder,
      PORT: String(await freePort()),
      ...environment,
    },
  });
  after(() => child.kill('SIGKILL'));
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { code, said: said.trim() };
}

describe('what cannot be served is refused at the start with a sentence', () => {
  // What pgbouncer before 1.21 does, and newer ones without this setting. The older ones do not know it.
  const forgetful = startPgbouncer(own.url, { max_prepared_statements: isNew ? '0' : null });
  const FORGETS =
    'DATABASE_URL leads to a pooler that does not keep prepared statements: use pgbouncer 1.21 or newer with max_prepared_statements above 0, as in deploy/pgbouncer/pgbouncer.ini.';

  for (const path of ['api/main.ts', 'workers/main.ts']) {
    test(`a pooler that forgets prepared statements: ${path}`, async () => {
      const { url } = await forgetful;
      // Twice: the first start leaves its statement at the server.
      for (const _ of [1, 2]) {
        const outcome = await ended(path, { DATABASE_URL: url, DATABASE_DIRECT_URL: own.url });
        assert.deepEqual(outcome, { code: 1, said: FORGETS });
      }
    });

    test(`a pooler without a way around it: ${path}`, async () => {
      const { url } = await forgetful;
      const outcome = await ended(path, { DATABASE_URL: url });
      assert.equal(outcome.code, 1);
      assert.match(outcome.said, /^DATABASE_URL leads to a pooler.*: set DATABASE_DIRECT_URL/);
    });
  }

  test('a way around it that leads to a pooler, also one that passes over settings at connecting', async () => {
    const { url } = await startPgbouncer(own.url, {
      max_prepared_statements: null,
      ignore_startup_parameters: 'options',
    });
    for (const path of ['api/main.ts', 'workers/main.ts', 'start/migrate-command.ts']) {
      const outcome = await ended(path, { DATABASE_URL: own.url, DATABASE_DIRECT_URL: url });
      assert.equal(outcome.code, 1);
      assert.match(outcome.said, /leads to a pooler, which keeps no session: set DATABASE_DIRECT_URL/);
    }
  });

  test('migrations through a pooler; they take the way around it', async () => {
    const { url } = await forgetful;
    const through = await ended('start/migrate-command.ts', { DATABASE_URL: url });
    assert.equal(through.code, 1);
    assert.match(through.said, /leads to a pooler, which keeps no session: set DATABASE_DIRECT_URL/);
    const around = { DATABASE_URL: url, DATABASE_DIRECT_URL: own.url };
    assert.deepEqual(await ended('start/migrate-command.ts', around), { code: 0, said: '' });
  });
});

describe('through pgbouncer with the configuration of deploy', { skip: NEEDS_NEW }, () => {
  test('under load, and while it is killed and comes back, each record is made once and jobs are done', async () => {
    const pooler = await startPgbouncer(own.url);
    const environment = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: own.url, DATA_DIR: folder };
    const port = await freePort();
    const base_url = `http://127.0.0.1:${port}`;
    const actor = await newActor(own.database);
    const client = clientOf(base_url, { Authorization: `Bearer ${actor.secret}` });
    const api = await startApi(port, environment);
    const workers = await startWorkers(environment);
    const senders = sendContacts(base_url, actor.secret, { count: 300, parallel: 8, gap: 10 });
    await until('some are acknowledged', () => senders.acknowledged_at.length >= 100);
    assert.deepEqual(senders.refusals, []);
    const mails = await askForMails(own.database, 'through', 3);
    await pooler.kill();
    await until('somebody is refused', () => senders.refusals.length > 0);
    const ready = await client.get('//readyz');
    assert.equal(ready.status, 503);
    await pooler.start();
    await senders.done;
    for (const { status, code, retry_after } of senders.refusals) {
      assert.deepEqual({ status, code, retry_after }, { status: 503, code: 'unavailable', retry_after: '1' });
    }
    await assertExactlyOnce(own.database, actor.organization_id, senders.wanted);
    await until('the mails are sent', async () => {
      const states = await mailStates(own.database, mails);
      return states.every(({ status }) => ['sent', 'unknown'].includes(status));
    });
    await until('the API is ready', async () => (await client.get('//readyz')).status === 200);
    assert.equal((await client.get('/crm/contacts')).body.total, 300);
    for (const running of [api, workers])
      assert.deepEqual([running.process.exitCode, ...running.errors], [null]);
    assert.equal(await api.stop(), 0);
    assert.equal(await workers.stop(), 0);
  });

  test('a statement and a transaction that take too long are ended, and hold up nobody behind them', async () => {
    // One connection to the server for all: what stays would be seen at once.
    const pooler = await startPgbouncer(own.url, { default_pool_size: '1' });
    const database = openDatabase({
      url: pooler.url,
      pool_size: 2,
      through_pooler: true,
      statement_timeout: 500,
    });
    after(() => database.end());
    const sleep = 'SELECT pg_sleep(600)';
    await assert.rejects(
      database.withConnection('*', ({ query }) => query(sleep)),
      { code: '57014' },
    );
    await assert.rejects(
      database.withConnection('*', (connection) => transaction(connection, () => connection.query(sleep))),
      { code: '57014' },
    );
    const idle = database.withConnection('*', (connection) =>
      transaction(connection, async () => {
        await connection.query('SET LOCAL idle_in_transaction_session_timeout = 300');
        await until('the server has ended it', async () => {
          const [row] = await own.database.withConnection('*', ({ query }) =>
            query<{ count: number }>(
              `SELECT count(*)::integer AS count FROM pg_stat_activity
               WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
            ),
          );
          return row?.count === 0;
        });
        return connection.query('SELECT 1');
      }),
    );
    await assert.rejects(idle, { code: 'unavailable' });
    assert.deepEqual(await database.withConnection('*', ({ query }) => query('SELECT 1 AS one')), [
      { one: 1 },
    ]);
    const timeout = "SELECT current_setting('idle_in_transaction_session_timeout') AS idle";
    assert.deepEqual(await database.withConnection('*', ({ query }) => query(timeout)), [{ idle: '1min' }]);
  });

  test('each client gets the plan of its own text, however the connections to the server are mixed', async () => {
    const pooler = await startPgbouncer(own.url, { default_pool_size: '3', max_prepared_statements: '5' });
    const databases = [1, 2, 3, 4].map(() =>
      openDatabase({ url: pooler.url, pool_size: 4, through_pooler: true }),
    );
    after(() => Promise.all(databases.map((database) => database.end())));
    await Promise.all(
      Array.from({ length: 400 }, (_, n) =>
        databases[n % 4]!.withConnection('*', async ({ query }) => {
          const wanted = (n * 7) % 40;
          assert.deepEqual(await query(`SELECT ${wanted} AS n, $1::integer AS given`, [n]), [
            { n: wanted, given: n },
          ]);
        }),
      ),
    );
  });
});
