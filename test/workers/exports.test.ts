import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import pg from 'pg';
import { startApp } from '../support/app.ts';
import { ended, rowsOf, startExportWorkers } from '../support/exports.ts';
import { seedMailContacts } from '../support/many-mail-contacts.ts';
import { until } from '../support/until.ts';

const MANY = 60_000;

const app = await startApp();
const owner = await app.actor();
const { organization_id } = owner.actor;
await seedMailContacts(app.database, organization_id, MANY, { indexed: false });

const blocker = new pg.Client({ connectionString: app.database_url });
// The database is dropped under it at the end.
blocker.on('error', () => undefined);
await blocker.connect();

/** Keeps exports of the table from reading a row until `release` is called. */
async function holdTable(table = 'mail_contacts'): Promise<() => Promise<void>> {
  await blocker.query('BEGIN');
  await blocker.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  return async () => {
    await blocker.query('COMMIT');
  };
}

const columns = ['id', 'email'];

/** Asks for an export; answers its job once a worker waits at the held table, its file begun. */
async function waiting(
  path = '/mail/contacts',
  asked: Record<string, unknown> = { columns },
): Promise<string> {
  const { body } = await owner.post(`${path}/export`, asked);
  await until('the export waits for its rows', async () => (await copies()) === 1);
  return body.job.id;
}

/** How many exports wait at the held table; asked outside of the transaction that holds it, which sees but one moment. */
async function copies(): Promise<number> {
  const waiting = await app.database.withConnection('*', ({ query }) =>
    query(
      `SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'COPY (%'`,
    ),
  );
  return waiting.length;
}

/** What is in the store, in bytes by name, and how many files the database knows of. */
async function stored(): Promise<{ files: Map<string, number>; kept: number; loose: number }> {
  const folder = join(app.context.settings.dataDir, 'files');
  mkdirSync(folder, { recursive: true });
  const files = new Map<string, number>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    if (found?.isFile()) files.set(name, found.size);
  }
  const [counts] = await app.database.withConnection('*', ({ query }) =>
    query<{ kept: number; loose: number }>(
      'SELECT (SELECT count(*) FROM job_files) AS kept, (SELECT count(*) FROM loose_files) AS loose',
    ),
  );
  return { files, ...counts! };
}

async function emails(): Promise<string[]> {
  const { rows } = await blocker.query(
    'SELECT email FROM mail_contacts WHERE organization_id = $1 ORDER BY id DESC',
    [organization_id],
  );
  return rows.map(({ email }) => email);
}

const expected = await emails();

describe('a worker that is killed', () => {
  test('before its first row and in the middle of them leaves one file, whole', async () => {
    let workers = await startExportWorkers(app);
    const release = await holdTable();
    const id = await waiting();
    await workers.kill();
    workers = await startExportWorkers(app);
    await until('the next try waits for its rows', async () => (await copies()) === 1);
    await release();
    await until('some rows are written', async () => {
      return [...(await stored()).files.values()].some((size) => size > 100_000);
    });
    await workers.kill();
    workers = await startExportWorkers(app);
    const job = await ended(owner, id);
    assert.equal(job.status, 'succeeded', JSON.stringify(job));
    assert.equal(job.result!['rows'], MANY);
    const { files, kept, loose } = await stored();
    assert.deepEqual([files.size, kept, loose], [1, 1, 0], [...files.keys()].join('\n'));
    const { text } = await owner.get(`/jobs/${id}/file`);
    const read = rowsOf(Buffer.from(text));
    assert.deepEqual(
      read.map(({ email }) => email),
      expected,
    );
    assert.equal(new Set(read.map(({ id: contact_id }) => contact_id)).size, MANY);
  });
});

describe('an export that is cancelled', () => {
  test('stops though the database has not sent a row, and leaves nothing', async () => {
    await startExportWorkers(app);
    const before = await stored();
    const release = await holdTable();
    const id = await waiting();
    assert.equal((await owner.post(`/jobs/${id}/cancel`)).status, 200);
    await until('the statement has ended', async () => (await copies()) === 0);
    await release();
    await until('nothing is left of it', async () => {
      const { loose } = await stored();
      const { rows } = await blocker.query('SELECT 1 FROM exports UNION ALL SELECT 1 FROM outbox');
      return loose === 0 && rows.length === 0;
    });
    assert.deepEqual(await stored(), before);
    const { job } = (await owner.get(`/jobs/${id}`)).body;
    assert.equal(job.status, 'cancelled');
    assert.equal((await owner.get(`/jobs/${id}/file`)).status, 404);
  });

  test('before a worker took it is never begun', async () => {
    const { body } = await owner.post('/mail/contacts/export', { columns });
    assert.equal((await owner.post(`/jobs/${body.job.id}/cancel`)).status, 200);
    await startExportWorkers(app);
    await until('it is forgotten', async () => {
      const { rows } = await blocker.query('SELECT 1 FROM exports UNION ALL SELECT 1 FROM outbox');
      return rows.length === 0;
    });
    assert.equal((await owner.get(`/jobs/${body.job.id}`)).body.job.status, 'cancelled');
  });
});

describe('while an export goes on', () => {
  test('its rows are of the moment at which it began, also those that it reads later', async () => {
    await startExportWorkers(app);
    const { body } = await owner.post('/crm/contacts', { last_name: '前', first_name: '一' });
    const release = await holdTable('crm_contacts');
    const id = await waiting('/crm/contacts', {});
    await blocker.query("UPDATE crm_contacts SET last_name = '後' WHERE id = $1", [body.contact.id]);
    await release();
    await ended(owner, id);
    const { text } = await owner.get(`/jobs/${id}/file`);
    assert.equal(rowsOf(Buffer.from(text))[0]!['last_name'], '前');
  });

  test('its job tells the rows so far, and how many there will be', async () => {
    await startExportWorkers(app);
    const release = await holdTable();
    const id = await waiting();
    const at = async () => (await owner.get(`/jobs/${id}`)).body.job;
    await until('it runs', async () => (await at()).status === 'running');
    assert.deepEqual((await at()).progress, { done: 0, total: null, unit: 'rows' });
    await release();
    const { progress } = await ended(owner, id);
    assert.deepEqual(progress, { done: MANY, total: MANY, unit: 'rows' });
  });

  test('SIGTERM hands it back, and the next worker writes it', async () => {
    const workers = await startExportWorkers(app);
    const release = await holdTable();
    const id = await waiting();
    const stopping = workers.stop();
    await startExportWorkers(app);
    await release();
    assert.equal(await stopping, 0, workers.errors.join('\n'));
    const job = await ended(owner, id);
    assert.equal(job.status, 'succeeded');
    assert.equal((await stored()).loose, 0);
  });
});

test('an export that the store refuses before its first byte is tried again by the same worker', async () => {
  const other = await app.actor();
  const folder = join(app.context.settings.dataDir, 'files');
  mkdirSync(folder, { recursive: true });
  // No file can be opened below another file.
  const obstacle = join(folder, other.actor.organization_id);
  writeFileSync(obstacle, '');
  const workers = await startExportWorkers(app);
  const { body } = await other.post('/mail/contacts/export', { columns });
  const reason = await until('it is refused', async () => {
    const { rows } = await blocker.query('SELECT error FROM outbox WHERE organization_id = $1', [
      other.actor.organization_id,
    ]);
    return rows[0]?.error as string | undefined;
  });
  assert.match(reason, /^The file could not be stored; nothing of it was kept: ENOTDIR/);
  rmSync(obstacle);
  assert.equal((await ended(other, body.job.id)).status, 'succeeded', workers.errors.join('\n'));
});
