import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { enqueueSeal } from '../../shared/sign/sealing/jobs.ts';
import { newActor } from '../support/actors.ts';
import { startApp } from '../support/app.ts';
import { somebodyWaits, whileHeld } from '../support/held.ts';
import { runningBrowsers } from '../support/pdf-documents.ts';
import { inOrganization, pendingSeal } from '../support/pending-seals.ts';
import { homesIn } from '../support/rendering.ts';
import { sealP12 } from '../support/seal-p12.ts';
import { assertNoOrphans, assertSealedOnce, untilSealed } from '../support/sealed-once.ts';
import { smtpSink } from '../support/smtp-sink.ts';
import { looseFiles } from '../support/stored.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

const app = await startApp();
const { database } = app;
const { dataDir, storage } = { ...app.context.settings, ...app.context };
const sink = await smtpSink();
const environment = {
  DATABASE_URL: app.database_url,
  DATA_DIR: dataDir,
  SMTP_URL: sink.url,
  MAIL_FROM: 'Service <no-reply@example.com>',
  BASE_URL: 'https://service.example',
  ...(await sealP12()),
};
const startSealing = () => startWorkers(environment, ['--queues', 'pdf-render']);

async function query<Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> {
  return database.withConnection('*', (connection) => connection.query<Row>(text, values));
}

const statusOf = async (id: string) =>
  (await query<{ status: string }>('SELECT status FROM sign_documents WHERE id = $1', id))[0]!.status;

/** The processes that a process has started with these words in their command. */
function childrenOf(parent: number, words: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const isChild = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] === `${parent}`;
        return isChild && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(words);
      } catch {
        return false;
      }
    });
}

/** Sends the copies that wait; answers who got one, each as often as they did. */
async function copiesTo(ids: readonly string[]): Promise<string[]> {
  const before = sink.taken.length;
  const workers = await startWorkers(environment, ['--queues', 'email']);
  await until('every mail has ended', async () => {
    const open = await query(
      'SELECT FROM sign_mails WHERE document_id = ANY ($1) AND NOT is_ended LIMIT 1',
      ids,
    );
    return open.length === 0;
  });
  assert.equal(await workers.stop(), 0);
  return sink.taken.slice(before).map(({ to }) => to);
}

test('a document whose worker is killed while it renders, signs, stores and settles is sealed once', async () => {
  const actor = await newActor(database);
  const id = await pendingSeal({ database, storage }, actor, {
    signers: [{ email: 'first@example.jp' }, { email: 'second@example.jp' }],
  });
  const loose = () => looseFiles(app);
  // A sealed file gets its key when it is signed: nobody comes further than that while this table is held.
  await whileHeld(database, 'loose_files', async () => {
    const rendering = await startSealing();
    await until(
      'its browser is at work',
      () => homesIn(dataDir).length > 0 && runningBrowsers(dataDir).length > 0,
    );
    await rendering.kill();
    const signing = await startSealing();
    await until('it is put together', () => childrenOf(signing.process.pid!, 'compose.ts').length > 0);
    await signing.kill();
    const storing = await startSealing();
    await somebodyWaits(database);
    await storing.kill();
  });
  assert.equal(await statusOf(id), 'sent');
  // The bytes are in the store, and the rows that name them are not.
  await whileHeld(database, 'sign_files', async () => {
    const settling = await startSealing();
    await until('its bytes are stored', async () => (await loose()).length > 0);
    await somebodyWaits(database);
    await settling.kill();
  });
  assert.equal(await statusOf(id), 'sent');
  const last = await startSealing();
  await untilSealed(app, [id]);
  assert.equal(await last.stop(), 0);
  await assertSealedOnce(app, id);
  assert.ok((await loose()).length > 0, 'a killed worker has left a file');
  await assertNoOrphans(app);
  const [sender] = await query<{ email: string }>('SELECT email FROM users WHERE id = $1', actor.user_id);
  assert.deepEqual(
    (await copiesTo([id])).sort(),
    ['first@example.jp', 'second@example.jp', sender!.email].sort(),
  );
});

test('two workers that have the same document in hand settle it once', async () => {
  const actor = await newActor(database);
  const id = await pendingSeal({ database, storage }, actor);
  await inOrganization({ database }, actor, async (work) => enqueueSeal(work, { id }));
  const workers = await whileHeld(database, 'sign_files', async () => {
    const both = await Promise.all([startSealing(), startSealing()]);
    await until('both wait to settle', async () => {
      const waiting = await query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting.length >= 2;
    });
    return both;
  });
  await untilSealed(app, [id]);
  for (const each of workers) assert.equal(await each.stop(), 0);
  await assertSealedOnce(app, id);
  await assertNoOrphans(app);
  assert.equal((await copiesTo([id])).length, 2);
});
