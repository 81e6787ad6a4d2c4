import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pauseQueue, resumeQueue } from '../../shared/platform/operators/queue-pauses.ts';
import { isAlive, workerProcesses } from '../../shared/platform/operators/worker-processes.ts';
import { onEachEngine } from '../support/engines.ts';
import { askForMails, mailStates } from '../support/mail-states.ts';
import { smtpSink } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

onEachEngine((engine) => {
  const processes = () => engine.test_database.database.withConnection('*', workerProcesses);

  test('a process tells that it is alive, heeds a paused queue, and takes itself off the list', async () => {
    const { database } = engine.test_database;
    const sink = await smtpSink();
    const workers = await startWorkers(
      { ...engine.environment, SMTP_URL: sink.url, MAIL_FROM: 'Service <no-reply@example.com>' },
      ['--queues', 'email'],
    );
    const [process] = await until('a process has told of itself', async () => {
      const found = await processes();
      return found.length === 1 && found;
    });
    assert.equal(process?.pid, workers.process.pid);
    assert.equal(process?.engine, engine.name);
    assert.ok(process?.queues.includes('email'));
    assert.ok(process && isAlive(process, new Date()));

    const paused = await database.withConnection('*', (connection) =>
      pauseQueue(connection, 'email', new Date()),
    );
    assert.equal(paused, true);
    const [mail_id] = await askForMails(database, 'paused', 1);
    // Two beats later the relay has looked several times, and the process knows of the pause.
    const beats = new Set<string>();
    await until('the process has told of itself twice', async () => {
      for (const { beat_at } of await processes()) beats.add(beat_at);
      return beats.size > 2;
    });
    assert.equal((await mailStates(database, [mail_id!]))[0]?.status, 'queued');

    assert.equal(await database.withConnection('*', (connection) => resumeQueue(connection, 'email')), true);
    await until(
      'the mail is sent',
      async () => (await mailStates(database, [mail_id!]))[0]?.status === 'sent',
    );
    assert.equal(await workers.stop(), 0);
    assert.deepEqual(await processes(), []);
  });
});
