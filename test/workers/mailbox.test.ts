import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Database } from '../../shared/db/database.ts';
import { Failure } from '../../shared/kernel/failure.ts';
import { bounceMailboxSweep } from '../../workers/mail/read-mailbox.ts';
import { startApp } from '../support/app.ts';
import { type CampaignMail, campaignMail, countsOf, runCampaignJobs } from '../support/campaign-mails.ts';
import type { Client } from '../support/client.ts';
import { no_dovecot, startDovecot } from '../support/dovecot.ts';
import { freePort } from '../support/free-port.ts';
import { deliveryReport, plainMail } from '../support/mail-reports.ts';

describe('the mailbox for bounces', { skip: no_dovecot }, async () => {
  if (no_dovecot) return;
  const app = await startApp();
  const dovecot = await startDovecot();

  const readFrom = (url: string) => {
    const sweep = bounceMailboxSweep(url, { clock: app.context.now, ca: dovecot.ca });
    return sweep.run(app.database, app.context.now(), new AbortController().signal);
  };

  async function read(): Promise<number> {
    const count = await readFrom(dovecot.url);
    await runCampaignJobs(app);
    return count;
  }

  const addressOf = (mail: CampaignMail, purpose: 'bounce' | 'unsubscribe_mail') =>
    `bounce+${mail.token(purpose)}@example.co.jp`;

  const cameIn = async (client: Client) =>
    (await client.get('/mail/inbound-messages')).body.items.map(
      ({ source, result }: { source: string; result: string }) => `${source}: ${result}`,
    );

  async function contactOf(client: Client, { contact_id }: CampaignMail) {
    const { contact } = (await client.get(`/mail/contacts/${contact_id}`)).body;
    return [contact.status, contact.status_reason];
  }

  test('is read for every organization, and what was read is put away', async () => {
    const [one, other] = [await app.actor(), await app.actor()];
    const [bounced, known_by_id] = [await campaignMail(app, one), await campaignMail(app, other)];
    const refused = await campaignMail(app, one, { email: 'hanako@example.jp' });
    dovecot.deliver(deliveryReport({ to: addressOf(bounced, 'bounce') }));
    dovecot.deliver(deliveryReport({ to: 'bounce@example.co.jp', message_id: known_by_id.message_id }));
    dovecot.deliver(plainMail(`To: ${addressOf(refused, 'unsubscribe_mail').toUpperCase()}`));
    const before = dovecot.processed();
    assert.equal(await read(), 3);
    assert.equal(await read(), 0);
    assert.deepEqual([dovecot.waiting(), dovecot.processed() - before], [0, 3]);
    assert.deepEqual(await contactOf(one, bounced), ['bounced', 'hard_bounce']);
    assert.deepEqual(await contactOf(one, refused), ['unsubscribed', 'mail']);
    assert.deepEqual(await contactOf(other, known_by_id), ['bounced', 'hard_bounce']);
    assert.deepEqual((await cameIn(one)).sort(), ['mailbox: bounce', 'mailbox: unsubscribe']);
    assert.deepEqual(await cameIn(other), ['mailbox: bounce']);
  });

  test('counts a mail once that was committed and not put away', async () => {
    const client = await app.actor();
    const mail = await campaignMail(app, client);
    const folder = join(dovecot.maildir, '.Processed');
    rmSync(folder, { recursive: true, force: true });
    // Where a file stands no folder can be made.
    writeFileSync(folder, '');
    dovecot.deliver(deliveryReport({ to: addressOf(mail, 'bounce') }));
    await assert.rejects(read(), /lets no mail be moved/);
    assert.equal(dovecot.waiting(), 1);
    rmSync(folder);
    assert.equal(await read(), 1);
    assert.deepEqual([dovecot.waiting(), dovecot.processed()], [0, 1]);
    assert.deepEqual(await cameIn(client), ['mailbox: bounce']);
    assert.deepEqual(await countsOf(app, mail.campaign_id), { hard_bounces: 1 });
  });

  test('keeps an automatic reply as one, and nothing of mails that prove none of ours', async () => {
    const client = await app.actor();
    const mail = await campaignMail(app, client);
    const report = deliveryReport({ to: addressOf(mail, 'bounce') });
    const auto = plainMail(`To: ${addressOf(mail, 'bounce')}`, 'Auto-Submitted: auto-replied');
    const none = [
      report.slice(0, report.length / 2),
      deliveryReport({ to: 'bounce+0123456789@example.co.jp' }),
      plainMail('To: bounce@example.co.jp'),
      Buffer.alloc(11 * 1024 * 1024, 'a\r\n'),
      '\u0000',
    ];
    for (const text of [...none, auto]) dovecot.deliver(text);
    assert.equal(await read(), none.length + 1);
    assert.equal(dovecot.waiting(), 0);
    assert.deepEqual(await cameIn(client), ['mailbox: auto_reply']);
    assert.deepEqual(await contactOf(client, mail), ['active', null]);
  });

  test('puts a mail aside that cannot be kept, and reads the others; away for a moment, it reads all again', async () => {
    const [one, other] = [await app.actor(), await app.actor()];
    const mails = [await campaignMail(app, one), await campaignMail(app, other)];
    for (const mail of mails) dovecot.deliver(deliveryReport({ to: addressOf(mail, 'bounce') }));
    let fault: Error = new Failure('unavailable');
    const database: Database = {
      ...app.database,
      withConnection: (whose, run) => {
        if (whose === one.actor.organization_id) throw fault;
        return app.database.withConnection(whose, run);
      },
    };
    const sweep = bounceMailboxSweep(dovecot.url, { clock: app.context.now, ca: dovecot.ca });
    const run = () => sweep.run(database, app.context.now(), new AbortController().signal);
    await assert.rejects(run, fault);
    assert.deepEqual([dovecot.waiting(), dovecot.failed()], [2, 0]);
    fault = new Error('a fault of ours');
    await assert.rejects(run, (error: AggregateError) => {
      assert.equal(error.message, '1 mails of the mailbox could not be kept and are in its folder Failed');
      assert.deepEqual(error.errors, [fault]);
      return true;
    });
    assert.deepEqual([dovecot.waiting(), dovecot.failed()], [0, 1]);
    assert.equal(await run(), 0);
    await runCampaignJobs(app);
    assert.deepEqual([await cameIn(one), await cameIn(other)], [[], ['mailbox: bounce']]);
  });

  test('says why it cannot be read, without its password', async () => {
    const wrong = new URL(dovecot.url);
    wrong.password = 'hidden';
    await assert.rejects(readFrom(wrong.href), ({ message }: Error) => {
      assert.match(message, /^The mailbox of BOUNCE_MAILBOX_URL cannot be opened: the sign-in is refused$/);
      return true;
    });
    await assert.rejects(readFrom(`imaps://u:hidden@127.0.0.1:${await freePort()}`), ({ message }: Error) => {
      assert.match(message, /^The mailbox of BOUNCE_MAILBOX_URL cannot be opened: ECONNREFUSED$/);
      return true;
    });
  });
});
