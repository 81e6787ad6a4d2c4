import { newActor } from '../../support/actors.ts';
import { freshDatabase } from '../../support/database.ts';
import { outboxCount } from '../../support/mail-states.ts';
import { endedReminders, openSigners } from '../../support/open-signers.ts';
import { smtpSink } from '../../support/smtp-sink.ts';
import { until } from '../../support/until.ts';
import { startWorkers } from '../../support/workers.ts';

const DOCUMENTS = 10;
const SIGNERS = 20;
const DAY = 86_400_000;

/** Seconds in which 200 signers who are due have one reminder each, while one of two processes of workers is killed. */
export async function reminders(): Promise<string> {
  const { database, url } = await freshDatabase();
  const { organization_id, user_id } = await newActor(database);
  const sink = await smtpSink();
  const now = new Date(Date.now() - 7 * DAY);
  await openSigners(database, { organization_id, user_id }, { documents: DOCUMENTS, signers: SIGNERS, now });
  const environment = {
    DATABASE_URL: url,
    SMTP_URL: sink.url,
    MAIL_FROM: 'Service <no-reply@example.com>',
    BASE_URL: 'https://service.example',
  };
  const began = performance.now();
  const queues = ['--queues', 'email,signing-reminder'];
  const [first, second] = await Promise.all([
    startWorkers(environment, queues),
    startWorkers(environment, queues),
  ]);
  await until('some are sent', () => sink.taken.length >= 20, 120_000);
  await first.kill();
  const count = DOCUMENTS * SIGNERS;
  await until(
    'every mail has ended',
    async () =>
      (await outboxCount(database)) === 0 &&
      (await endedReminders(database, organization_id)).length === count,
    300_000,
  );
  const seconds = (performance.now() - began) / 1000;
  const ended = await endedReminders(database, organization_id);
  await second.stop();
  const sent = Map.groupBy(sink.taken, ({ to }) => to);
  const twice = ended.filter(({ email }) => (sent.get(email)?.length ?? 0) > 1).length;
  const unknown = ended.filter(({ status }) => status === 'unknown').length;
  return [
    '| signers with a reminder, a worker killed | one mail | twice | unknown | seconds | aim |',
    '|---|---|---|---|---|---|',
    `| ${count} | ${ended.length - unknown} | ${twice} | ${unknown} | ${seconds.toFixed(1)} | 90 |`,
  ].join('\n');
}
