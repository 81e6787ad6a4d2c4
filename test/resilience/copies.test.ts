import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import type { Database } from '../../shared/db/database.ts';
import { ensureInstallation, installationState } from '../../shared/platform/installation/installation.ts';
import { pauseQueue, queuePauses, resumeQueue } from '../../shared/platform/operators/queue-pauses.ts';
import { workerProcesses } from '../../shared/platform/operators/worker-processes.ts';
import { diskStorage } from '../../shared/platform/storage/disk.ts';
import { type Files, removeLooseFiles, storeFile } from '../../shared/platform/storage/loose-files.ts';
import { copyOfDatabase, type TestDatabase } from '../support/database.ts';
import { type Engine, onEachEngine } from '../support/engines.ts';
import { askForMails, mailStates } from '../support/mail-states.ts';
import { askFor } from '../support/serving.ts';
import { type SmtpSink, smtpSink } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import { makeNotes, notes, startTestWorkers, startWorkers } from '../support/workers.ts';

const DAY = 86_400_000;
const organization_id = 'org_copied';
const running = new AbortController().signal;

/** What these processes do is to send mails and to sweep. */
const EMAIL = ['--queues', 'email'];

onEachEngine((engine) => {
  // Original and copy have the same store and the same Redis.
  const folder = mkdtempSync(join(tmpdir(), 'copies-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const storage = diskStorage(join(folder, 'files'));
  const storeDueFile = () => storeDue({ database: engine.test_database.database, storage });

  const environmentOf = (of: TestDatabase, sink: SmtpSink) => environmentIn(engine, folder, { of, sink });

  test('a copy beside its original removes no file of it, sends none of its mails and takes none of its tickets', async () => {
    const original = engine.test_database;
    const file = await storeDueFile();
    const mails = await askForMails(original.database, 'waiting', 3);
    const copy = await copyOf(engine);
    await original.database.withConnection('*', ({ query }) => query('DELETE FROM loose_files'));
    const [of_original, of_copy] = [await smtpSink(), await smtpSink()];

    const copied = await startWorkers(environmentOf(copy, of_copy), EMAIL);
    await until('the copy has swept', () => hasSwept(copy.database));
    assert.ok((await buffer(await storage.read(file))).equals(Buffer.from('kept')));
    await until('the copy has warned', () =>
      copied.lines.some(({ level, msg }) => level === 40 && msg.startsWith('The database was restored')),
    );

    const own = await startWorkers(environmentOf(original, of_original), EMAIL);
    await until('the original has sent its mails', () => of_original.taken.length === 3);
    await allAre(original.database, mails, 'sent');
    assert.deepEqual(of_copy.taken, []);
    await allAre(copy.database, mails, 'queued');
    assert.deepEqual([await own.stop(), await copied.stop()], [0, 0]);
    assert.equal(of_original.taken.length, 3);
  });

  test('what the original asks for runs in the original, once, while workers of a copy are there', async () => {
    const original = engine.test_database;
    await makeNotes(original.database);
    const copy = await copyOf(engine);
    const sink = await smtpSink();
    const copied = await startTestWorkers(environmentOf(copy, sink));
    const own = await startTestWorkers(environmentOf(original, sink));
    const count = 60;
    const asked = { queue: 'signing-reminder', name: 'test.note', count } as const;
    const [here, there] = await Promise.all([askFor(original.database, asked), askFor(copy.database, asked)]);
    for (const [{ database }, ids] of [
      [original, here],
      [copy, there],
    ] as const) {
      await until('every job is done', async () => (await notes(database, ids)).count === count);
      assert.deepEqual(await notes(database, ids), { count, twice: [] });
    }
    assert.equal((await notes(copy.database, here)).count, 0);
    await Promise.all([own.stop(), copied.stop()]);
  });

  test('a separate copy sends its new mails alone and leaves the files of the original for good', async () => {
    const mails = await askForMails(engine.test_database.database, 'separate', 2);
    const file = await storeDueFile();
    const copy = await copyOf(engine);
    assert.match(await command(copy, 'separate'), /^2 mails that waited in the backup are not sent/);
    const sink = await smtpSink();
    const workers = await startWorkers(environmentOf(copy, sink), EMAIL);
    const [later] = await askForMails(copy.database, 'later', 1);
    await until('the new mail is sent', () => sink.taken.length > 0);
    await allAre(copy.database, [later!], 'sent');
    await allAre(copy.database, mails, 'failed');
    await until('the copy has swept', () => hasSwept(copy.database));
    assert.ok(await storage.read(file).then(buffer));
    await workers.stop();
    assert.equal(sink.taken.length, 1);
  });

  test('who takes the original over sends the mails that wait and removes its files', async () => {
    const mails = await askForMails(engine.test_database.database, 'over', 2);
    const file = await storeDueFile();
    const copy = await copyOf(engine);
    const sink = await smtpSink();
    const workers = await startWorkers(environmentOf(copy, sink), EMAIL);
    assert.match(await command(copy), /restored from a backup/);
    await command(copy, 'take-over');
    await until('the mails are sent', () => sink.taken.length >= 2);
    await allAre(copy.database, mails, 'sent');
    await workers.stop();
    assert.ok((await removeLooseFiles({ database: copy.database, storage }, new Date(), running)) >= 0);
    await assert.rejects(storage.read(file));
    assert.doesNotMatch(await command(copy), /restored/);
  });

  test('workers whose database is restored under them end', async () => {
    const copy = await copyOf(engine);
    const workers = await startTestWorkers(environmentOf(copy, await smtpSink()));
    await command(copy, 'renew');
    await until('the process has ended', () => workers.process.exitCode !== null);
    assert.ok(
      workers.lines.some(({ msg }) => msg.startsWith('The database now belongs to another installation')),
    );
  });
});

onEachEngine((engine) => {
  test('many processes that start at a time on a restored database draw one ID', async () => {
    const copy = await copyOf(engine);
    const drawn = await Promise.all(
      Array.from({ length: 20 }, () => ensureInstallation(copy.database, new Date())),
    );
    assert.equal(new Set(drawn).size, 1);
    assert.notEqual(drawn[0], engine.installation);
    const state = await copy.database.withConnection('*', installationState);
    assert.deepEqual(state, { id: drawn[0], is_undecided: true });
    // An operator who lets the queue go on has not decided.
    assert.equal(await copy.database.withConnection('*', (one) => resumeQueue(one, 'email')), false);
    assert.ok((await copy.database.withConnection('*', queuePauses)).has('email'));
  });

  test('a pause that was made in the original is not lifted before the decision', async () => {
    const original = engine.test_database.database;
    const resume = (database: Database) => database.withConnection('*', (one) => resumeQueue(one, 'email'));
    await original.withConnection('*', (one) => pauseQueue(one, 'email', new Date()));
    const copy = await copyOf(engine);
    assert.equal(await resume(original), true);
    assert.equal(await resume(copy.database), false, 'no process has drawn the ID yet');
    await ensureInstallation(copy.database, new Date());
    assert.equal(await resume(copy.database), false);
    await command(copy, 'take-over');
    assert.equal(await resume(copy.database), true);
  });

  test('mails that meet an undecided installation use up no try', async () => {
    const [mail] = await askForMails(engine.test_database.database, 'undecided', 1);
    const copy = await copyOf(engine);
    const sink = await smtpSink();
    await ensureInstallation(copy.database, new Date());
    // As for a ticket that was dispatched before the queue was paused.
    const query = <Row extends object>(text: string) =>
      copy.database.withConnection('*', (one) => one.query<Row>(text));
    await query("DELETE FROM queue_pauses WHERE queue = 'email'");
    const folder = mkdtempSync(join(tmpdir(), 'copies-'));
    after(() => rmSync(folder, { recursive: true, force: true }));
    const workers = await startWorkers(environmentIn(engine, folder, { of: copy, sink }), EMAIL);
    const delivery = await until('the mail was refused', async () => {
      const [found] = await query<{ attempts: number; starts: number; error: string | null }>(
        "SELECT attempts, starts, error FROM outbox WHERE name = 'mailer.send_mail'",
      );
      return found?.error ? found : null;
    });
    assert.match(delivery.error ?? '', /was restored/);
    assert.deepEqual([delivery.attempts, delivery.starts], [0, 0]);
    await allAre(copy.database, [mail!], 'queued');
    await workers.stop();
    assert.deepEqual(sink.taken, []);
  });

  test('the workers of the original are not listed in a restored database', async () => {
    const list = `INSERT INTO worker_processes (id, host, pid, engine, queues, running, memory_bytes, started_at, beat_at)
                  VALUES ('original', 'office-1', 1, 'postgres', '{email}', '[]', 1, now(), now())`;
    await engine.test_database.database.withConnection('*', ({ query }) => query(list));
    const copy = await copyOf(engine);
    assert.equal((await copy.database.withConnection('*', workerProcesses)).length, 1);
    await ensureInstallation(copy.database, new Date());
    assert.deepEqual(await copy.database.withConnection('*', workerProcesses), []);
  });

  test('what is not restored has nothing to decide', async () => {
    await assert.rejects(command(engine.test_database, 'take-over'), /was not restored/);
  });
});

/** What the workers of an installation are started with: the engine and the store of the original. */
function environmentIn(
  { environment }: Engine,
  folder: string,
  { of, sink }: { of: TestDatabase; sink: SmtpSink },
) {
  return {
    ...environment,
    DATABASE_URL: of.url,
    DATA_DIR: folder,
    SMTP_URL: sink.url,
    MAIL_FROM: 'Service <no-reply@example.com>',
    BASE_URL: 'https://service.example',
  };
}

/** A copy of the engine's database; dropped with the test file. */
async function copyOf({ test_database }: Engine): Promise<TestDatabase> {
  const copy = await copyOfDatabase(test_database);
  after(() => copy.drop());
  return copy;
}

/** A file that nothing in the database keeps and that is due to be removed; answers its key. */
async function storeDue(files: Files): Promise<string> {
  const now = new Date(Date.now() - 2 * DAY);
  const body = Readable.from(['kept']);
  return (await storeFile(files, { organization_id, area: 'jobs', body, limit: 1_000, now })).storage_key;
}

async function hasSwept(database: Database): Promise<boolean> {
  const rows = await database.withConnection('*', ({ query }) =>
    query("SELECT FROM sweeps WHERE name = 'loose_files' AND succeeded_at IS NOT NULL"),
  );
  return rows.length > 0;
}

async function allAre(database: Database, mails: readonly string[], status: string): Promise<void> {
  await until(`the mails are ${status}`, async () =>
    (await mailStates(database, mails)).every((mail) => mail.status === status),
  );
}

/** npm run installation, with the words that follow; answers what it wrote. */
async function command(on: TestDatabase, ...words: string[]): Promise<string> {
  const program = resolve(import.meta.dirname, '../../start/installation-command.ts');
  const env = { ...process.env, DATABASE_URL: on.url };
  return (await promisify(execFile)(process.execPath, [program, ...words], { env })).stdout;
}
