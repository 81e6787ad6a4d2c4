import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { bounceMailboxSweep } from '../../workers/mail/read-mailbox.ts';
import { startApp } from '../support/app.ts';
import { type CampaignMail, campaignMail, runCampaignJobs } from '../support/campaign-mails.ts';
import { mail_owner, no_dovecot, startDovecot } from '../support/dovecot.ts';
import { no_postfix, startPostfix } from '../support/postfix.ts';
import { smtpSink, type Verdict } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';

const DOMAIN = 'bounces.example.co.jp';

/** What the next server answers to RCPT or to the text, and what the mail becomes. */
const cases: readonly { at: 'recipient' | 'text'; code: number; words: string; becomes: string }[] = [
  { at: 'recipient', code: 550, words: '5.1.1 No such user here', becomes: 'hard 5.1.1' },
  { at: 'recipient', code: 550, words: '5.2.1 Mailbox disabled', becomes: 'hard 5.2.1' },
  // Postfix says 5.0.0 where the other server says no enhanced code.
  { at: 'recipient', code: 550, words: 'No such user here', becomes: 'hard 5.0.0' },
  { at: 'recipient', code: 552, words: '5.2.2 Mailbox full', becomes: 'soft 5.2.2' },
  { at: 'recipient', code: 451, words: '4.7.1 Greylisted', becomes: 'soft 4.7.1' },
  { at: 'text', code: 554, words: '5.7.1 Message rejected as spam', becomes: 'soft 5.7.1' },
];

const skip = no_postfix || no_dovecot;

describe('the reports of Postfix', { skip }, async () => {
  if (skip) return;
  const app = await startApp();
  const dovecot = await startDovecot();
  const sink = await smtpSink();
  sink.verdict = (to, at): Verdict => {
    const found = cases[Number(/^case-(\d)@/.exec(to)?.[1] ?? -1)];
    return found?.at === at ? { kind: 'refuse', code: found.code, words: found.words } : { kind: 'take' };
  };
  const postfix = await startPostfix({
    next_port: Number(new URL(sink.url).port),
    reports: { domain: DOMAIN, maildir: dovecot.maildir, ...mail_owner },
  });

  const newReports = () => {
    const folder = join(dovecot.maildir, 'new');
    return readdirSync(folder).map((name) => readFileSync(join(folder, name)));
  };

  for (const way of ['hook', 'mailbox'] as const) {
    test(`become bounces of their classes, by the ${way}`, async () => {
      const client = await app.actor();
      const made = await client.post('/mail/settings/hook-token');
      const hook = new URL(made.body.url).pathname.replace('/api/v1', '');
      const mails = new Map<string, string>();
      for (const [index, { becomes }] of cases.entries()) {
        const mail = await campaignMail(app, client, { email: `case-${index}@example.jp` });
        mails.set(mail.recipient_id, becomes);
        await hand(mail, { to: `case-${index}@example.jp`, envelope: index % 2 === 0 });
      }
      await until('all reports are there', () => newReports().length === cases.length);
      if (way === 'hook') {
        for (const report of newReports()) {
          const reply = await client.post(hook, report, { 'Content-Type': 'message/rfc822' });
          assert.deepEqual([reply.status, reply.body], [202, { accepted: 1, ignored: 0 }]);
        }
        await runCampaignJobs(app);
        await emptyMailbox();
      } else {
        assert.equal(await emptyMailbox(), cases.length);
        await runCampaignJobs(app);
      }
      const { items } = (await client.get('/mail/inbound-messages?result=bounce')).body;
      const found = items.map((item: { recipient_id: string; bounce: { class: string; status: string } }) => [
        item.recipient_id,
        `${item.bounce.class} ${item.bounce.status}`,
      ]);
      assert.deepEqual(new Map(found), mails);
    });
  }

  function emptyMailbox(): Promise<number> {
    const sweep = bounceMailboxSweep(dovecot.url, { clock: app.context.now, ca: dovecot.ca });
    return sweep.run(app.database, app.context.now(), new AbortController().signal);
  }

  /** Hands a mail to Postfix as a campaign does; without its token in the envelope sender it is known by ENVID. */
  async function hand(
    mail: CampaignMail,
    { to, envelope }: { to: string; envelope: boolean },
  ): Promise<void> {
    const token = mail.token('bounce');
    const connection = new SMTPConnection({ host: '127.0.0.1', port: postfix.port, ignoreTLS: true });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    connection.on('error', reject);
    connection.connect(() =>
      connection.send(
        {
          from: envelope ? `bounce+${token}@${DOMAIN}` : `bounce@${DOMAIN}`,
          to,
          dsn: { id: token },
        },
        `Message-ID: ${envelope ? '<other@example.co.jp>' : mail.message_id}\r\nSubject: x\r\n\r\nHello\r\n`,
        (error) => (error ? reject(error) : resolve()),
      ),
    );
    await promise.finally(() => connection.quit());
  }
});
