import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../support/app.ts';
import { countsOf, mailTokens } from '../support/campaign-mails.ts';
import { no_dovecot, startDovecot } from '../support/dovecot.ts';
import { deliveryReport, feedbackReport } from '../support/mail-reports.ts';
import { mailedCampaign } from '../support/mailed-campaigns.ts';
import { addContact } from '../support/sendable-campaigns.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

const BOUNCED = 45;
const KILLS = 4;

describe('workers that are killed while they read the mailbox for bounces', {
  skip: no_dovecot,
}, async () => {
  if (no_dovecot) return;
  const app = await startApp();
  const dovecot = await startDovecot();
  const query = <Row extends object>(text: string, values: unknown[] = []) =>
    app.database.withConnection('*', (connection) => connection.query<Row>(text, values));
  const start = () =>
    startWorkers(
      {
        DATABASE_URL: app.database_url,
        BOUNCE_MAILBOX_URL: dovecot.url,
        NODE_EXTRA_CA_CERTS: dovecot.ca_path,
      },
      ['--queues', 'campaign'],
    );
  const cameIn = async () => {
    const [row] = await query<{ all: number; applied: number }>(
      'SELECT count(*)::integer AS all, count(applied_at)::integer AS applied FROM mail_inbound_messages',
    );
    return row!;
  };
  /** Else another process begins when the claim of the dead one is over. */
  const readAnew = () =>
    query(
      "UPDATE sweeps SET running_until = NULL, started_at = now() - interval '1 hour' WHERE name = 'bounce_mailbox'",
    );

  test('lose no report and count none twice', async () => {
    const client = await app.actor();
    const emails = Array.from({ length: BOUNCED + 1 }, (_, n) => `p${n}@example.jp`);
    const contact_ids: string[] = [];
    for (const email of emails) contact_ids.push(await addContact(client, { email }));
    const id = await mailedCampaign(
      app,
      client,
      emails.map((email, n) => ({ email, contact_id: contact_ids[n]!, status: 'sent' })),
    );
    const { organization_id } = client.actor;
    for (let number = 1; number <= BOUNCED; number += 1) {
      const token = (await mailTokens(app, organization_id, id, number))('bounce');
      const report = deliveryReport({ to: `bounce+${token}@example.co.jp` });
      dovecot.deliver(report);
      // A server delivers some of them twice.
      if (number % 5 === 0) dovecot.deliver(report);
    }
    const [{ message_id } = { message_id: '' }] = await query<{ message_id: string }>(
      'SELECT message_id FROM mail_campaign_recipients WHERE campaign_id = $1 AND number = $2',
      [id, BOUNCED + 1],
    );
    dovecot.deliver(feedbackReport({ type: 'abuse', message_id }));
    const delivered = dovecot.waiting();
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const some = Math.ceil(((kill - Math.random()) / (KILLS + 1)) * BOUNCED);
      const workers = await start();
      await readAnew();
      await until(`${some} have come in`, async () => (await cameIn()).all >= some);
      await workers.kill();
    }
    const workers = await start();
    await readAnew();
    await until('the mailbox is empty', () => dovecot.waiting() === 0);
    await until('all are applied', async () => {
      const { all, applied } = await cameIn();
      return all === BOUNCED + 1 && applied === all;
    });
    assert.equal(dovecot.processed(), delivered, 'none is lost');
    const { hard_bounces, complaints } = await countsOf(app, id);
    assert.deepEqual({ hard_bounces, complaints }, { hard_bounces: BOUNCED, complaints: 1 });
    const contacts = await query<{ status: string; count: number }>(
      'SELECT status, count(*)::integer AS count FROM mail_contacts WHERE organization_id = $1 GROUP BY 1 ORDER BY 1',
      [organization_id],
    );
    assert.deepEqual(
      contacts.map(({ status, count }) => [status, count]),
      [
        ['bounced', BOUNCED],
        ['unsubscribed', 1],
      ],
    );
    await workers.stop();
  });
});
