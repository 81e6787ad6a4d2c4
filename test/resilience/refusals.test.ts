import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { openDatabase } from '../../shared/db/database.ts';
import type { Failure } from '../../shared/kernel/failure.ts';
import { newActor } from '../support/actors.ts';
import { startApi } from '../support/api.ts';
import { clientOf } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { askForMails, mailStates } from '../support/mail-states.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';
import { ownServer } from './own-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'refusals-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const server = await ownServer();
const environment = { DATABASE_URL: server.url, DATA_DIR: folder };
const port = await freePort();
const base_url = `http://127.0.0.1:${port}`;
const actor = await newActor(server.database);
const client = clientOf(base_url, { Authorization: `Bearer ${actor.secret}` });
const api = await startApi(port, environment);

const role = decodeURIComponent(new URL(server.url).username);
const administration = new URL(server.admin_url);
administration.pathname = new URL(server.url).pathname;

async function administer(text: string): Promise<void> {
  const administrator = new pg.Client({
    connectionString: administration.href,
    options: '-c default_transaction_read_only=off',
  });
  await administrator.connect();
  await administrator.query(text).finally(() => administrator.end());
}

/** What was set for new sessions counts from now on. */
const endSessions = () =>
  administer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`);

/** Every write to the table meets a full disk: /dev/full has no space, and PostgreSQL says of it what it says of its own. */
async function whileFull(table: string, run: () => Promise<void>): Promise<void> {
  await administer(`
    CREATE OR REPLACE FUNCTION fill_disk() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      COPY (SELECT repeat('x', 100000)) TO '/dev/full';
      RETURN NEW;
    END $$;
    CREATE TRIGGER fill_disk BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION fill_disk()`);
  try {
    await run();
  } finally {
    await administer(`DROP TRIGGER fill_disk ON ${table}`);
  }
}

const create = () => client.post('/crm/contacts', { first_name: 'a', last_name: 'b' });

/** Sees that a write is refused so, and that the log has the sentence, once for all requests of the outage. */
async function assertRefused(cause: string, sentence: RegExp, retry_after: string): Promise<void> {
  const reply = await create();
  assert.equal(reply.status, 503, reply.text);
  assert.equal(reply.body.code, 'unavailable');
  assert.equal(reply.headers.get('retry-after'), retry_after);
  assert.doesNotMatch(reply.text, /disk|PostgreSQL|connection/i);
  const told = await until('the log has it', () => api.lines.find(({ trouble }) => trouble === cause));
  assert.equal(told.level, 50);
  assert.equal(told.trouble, cause);
  assert.match(told.msg, sentence);
  // One text serves all who ask within a second.
  const number = new RegExp(`^refusals_total\\{cause="${cause}"\\} [1-9]`, 'm');
  await until('the numbers have it', async () => number.test((await client.get('//metrics')).text));
}

describe('what PostgreSQL refuses for want of something is 503 with its own sentence, and heals by itself', () => {
  test('a full disk', async () => {
    await whileFull('crm_contacts', () =>
      assertRefused('disk_full', /^The disk of PostgreSQL is full/, '30'),
    );
    assert.equal((await create()).status, 201);
  });

  test('no writes, as on a standby; what only reads is answered', async () => {
    const name = new URL(server.url).pathname.slice(1);
    const setting = `ALTER DATABASE ${name} SET default_transaction_read_only = on`;
    await administer(
      `${setting}; SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`,
    );
    await until('the API reads again', async () => (await client.get('/crm/contacts')).status === 200);
    await assertRefused('read_only', /^PostgreSQL takes no writes/, '30');
    await administer(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await endSessions();
    await until('the API writes again', async () => (await create()).status === 201);
  });

  test('too many connections', async () => {
    await administer(`ALTER ROLE ${role} CONNECTION LIMIT 0`);
    await endSessions();
    await until('the API meets the limit', async () => {
      await create();
      return api.lines.some(({ trouble }) => trouble === 'too_many_connections');
    });
    await assertRefused('too_many_connections', /^PostgreSQL has no connection left/, '5');
    await administer(`ALTER ROLE ${role} CONNECTION LIMIT -1`);
    await until('the API writes again', async () => (await create()).status === 201);
  });

  test('a limit of its configuration; the connection stays in use', async () => {
    const database = openDatabase({ url: administration.href, pool_size: 1 });
    after(() => database.end());
    const pid = 'SELECT pg_backend_pid() AS pid';
    const before = await database.withConnection('*', ({ query }) => query(pid));
    await assert.rejects(
      database.withConnection('*', async ({ query }) => {
        await query(
          "SELECT set_config('temp_file_limit', '0', false), set_config('work_mem', '64kB', false)",
        );
        await query('SELECT n FROM generate_series(1, 100000) n ORDER BY n DESC OFFSET 99999');
      }),
      (error: Failure) => error.code === 'unavailable' && error.details.trouble?.kind === 'limit_reached',
    );
    assert.deepEqual(await database.withConnection('*', ({ query }) => query(pid)), before);
  });
});

test('a full disk uses up no tries of a job, which is done once there is space', async () => {
  const [mail] = await askForMails(server.database, 'full', 1);
  const outbox = () =>
    server.database.withConnection('*', ({ query }) =>
      query<{ attempts: number; starts: number; error: string | null }>(
        "SELECT attempts, starts, error FROM outbox WHERE name = 'mailer.send_mail'",
      ),
    );
  await whileFull('mails', async () => {
    const workers = await startWorkers(environment);
    await until('the job is refused', async () => (await outbox())[0]?.error);
    const [row] = await outbox();
    assert.deepEqual({ attempts: row?.attempts, starts: row?.starts }, { attempts: 0, starts: 0 });
    assert.match(row?.error ?? '', /^The disk of PostgreSQL is full/);
    const line = workers.lines.find(({ trouble }) => trouble === 'disk_full');
    assert.equal(line?.level, 50);
    assert.match(line?.msg ?? '', /^The disk of PostgreSQL is full/);
  });
  await until(
    'the mail is sent',
    async () => (await mailStates(server.database, [mail!]))[0]?.status === 'sent',
  );
});
