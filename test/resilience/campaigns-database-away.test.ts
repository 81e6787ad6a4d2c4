import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startApp, type TestApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { countsByStatus, startCampaign, untilStatus } from '../support/sent-campaigns.ts';
import { type SmtpSink, smtpSink } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';
import { gateBefore } from './gate.ts';
import { ownServer } from './own-server.ts';

const RECIPIENTS = 200;
const emails = Array.from({ length: RECIPIENTS }, (_, n) => `p${String(n).padStart(3, '0')}@example.jp`);

/** Real workers that send over five connections to a server that takes its time over each mail. */
async function sending(database_url: string) {
  const sink = await smtpSink();
  sink.slowness = (_, at) => (at === 'text' ? 60 : 0);
  const environment = {
    DATABASE_URL: database_url,
    SMTP_URL: sink.url,
    MAIL_FROM: 'Service <no-reply@example.com>',
    MAIL_CONNECTIONS: '5',
  };
  return { sink, workers: await startWorkers(environment, ['--queues', 'campaign']) };
}

async function assertOnceEach(app: TestApp, id: string, { taken }: SmtpSink): Promise<void> {
  assert.deepEqual(await countsByStatus(app, id), { sent: RECIPIENTS });
  assert.deepEqual(taken.map(({ to }) => to).sort(), emails);
}

describe('within a slice', () => {
  test('the database restarts: what the server took is known afterwards, and everybody gets it once', async () => {
    const server = await ownServer();
    const app = await startApp({ database: { ...server, drop: () => server.database.end() } });
    const { sink, workers } = await sending(server.url);
    const underway = await startCampaign(app, emails, { throttle: { per_second: 50 } });
    for (const [some, signal] of [
      [40, 'SIGINT'],
      [110, 'SIGQUIT'],
    ] as const) {
      await until(`${some} were taken`, () => sink.taken.length >= some);
      await server.takeAway(signal);
      await pause(3_000);
      await server.bringBack();
    }
    await untilStatus(underway, 'sent');
    await assertOnceEach(app, underway.id, sink);
    await workers.stop();
  });

  test('connections are cut again and again, whatever each one was doing: the same', async () => {
    const own = await freshDatabase();
    after(() => own.drop());
    const gate = await gateBefore(own.url);
    const app = await startApp({ database: own });
    const { sink, workers } = await sending(gate.url);
    const underway = await startCampaign(app, emails, { throttle: { per_second: 50 } });
    for (let some = 5; some < RECIPIENTS - 20; some += 20) {
      await until(`${some} were taken`, () => sink.taken.length >= some);
      gate.reset();
    }
    await untilStatus(underway, 'sent');
    await assertOnceEach(app, underway.id, sink);
    await workers.stop();
  });
});
