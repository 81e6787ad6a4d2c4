import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { campaignMail, runCampaignJobs } from '../../support/campaign-mails.ts';
import type { Client } from '../../support/client.ts';

/** Bodies with all the members that the documentation of Amazon SES, of Amazon SNS and of SendGrid names. */
const app = await startApp();

const AT = '2026-11-27T01:00:00.000Z';

const sesMail = (source: string, message_id: string) => ({
  timestamp: AT,
  source,
  sourceArn: 'arn:aws:ses:ap-northeast-1:111122223333:identity/example.co.jp',
  sourceIp: '192.0.2.1',
  callerIdentity: 'mailer',
  sendingAccountId: '111122223333',
  messageId: '0106018c0a1b2c3d-00000000-0000-0000-0000-000000000000-000000',
  destination: ['taro@example.jp'],
  headersTruncated: false,
  headers: [
    { name: 'From', value: '"山田商店" <shop@example.co.jp>' },
    { name: 'To', value: 'taro@example.jp' },
    { name: 'Message-ID', value: message_id },
    { name: 'Subject', value: '春の新商品のご案内' },
  ],
  commonHeaders: { from: ['shop@example.co.jp'], to: ['taro@example.jp'], messageId: message_id },
});

const sesBounce = (bouncedRecipients: object[], bounceType = 'Permanent') => ({
  bounceType,
  bounceSubType: 'General',
  bouncedRecipients,
  timestamp: AT,
  feedbackId: '0106018c0a1b2c3d-11111111-1111-1111-1111-111111111111-000000',
  remoteMtaIp: '198.51.100.7',
  reportingMTA: 'dns; a1-1.smtp-out.ap-northeast-1.amazonses.com',
});

const sesComplaint = {
  userAgent: 'AnyCompany Feedback Loop (V0.01)',
  complainedRecipients: [{ emailAddress: 'taro@example.jp' }],
  complaintFeedbackType: 'abuse',
  arrivalDate: AT,
  timestamp: AT,
  complaintSubType: null,
  feedbackId: '0106018c0a1b2c3d-22222222-2222-2222-2222-222222222222-000000',
};

/** As Amazon SNS posts it: its own type in a header, and the body as `text/plain`. */
function sns(told: object, MessageId: string): [string, Record<string, string>] {
  const body = JSON.stringify({
    Type: 'Notification',
    MessageId,
    TopicArn: 'arn:aws:sns:ap-northeast-1:111122223333:bounces',
    Message: JSON.stringify(told),
    Timestamp: AT,
    SignatureVersion: '1',
    Signature: 'AAAA',
    SigningCertURL: 'https://sns.ap-northeast-1.amazonaws.com/SimpleNotificationService-0.pem',
    UnsubscribeURL: 'https://sns.ap-northeast-1.amazonaws.com/?Action=Unsubscribe',
  });
  const headers = { 'Content-Type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': 'Notification' };
  return [body, headers];
}

const sendGridEvent = (event: string, number: number, more: object) => ({
  email: 'taro@example.jp',
  timestamp: 1_795_741_200,
  'smtp-id': '<14c5d75ce93.dfd.64b469@ismtpd-555>',
  event,
  category: ['news'],
  sg_event_id: `event-${number}`,
  sg_message_id: '14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0',
  ...more,
});

async function hookOf(client: Client): Promise<string> {
  const made = await client.post('/mail/settings/hook-token');
  return new URL(made.body.url).pathname.replace('/api/v1', '');
}

async function contactOf(client: Client, contact_id: string) {
  const { contact } = (await client.get(`/mail/contacts/${contact_id}`)).body;
  return [contact.status, contact.status_reason];
}

const resultsOf = async (client: Client) =>
  (await client.get('/mail/inbound-messages?limit=200')).body.items.map(
    ({ result, bounce }: { result: string; bounce: { class: string; status: string | null } | null }) =>
      bounce ? `${result} ${bounce.class} ${bounce.status}` : result,
  );

describe('what Amazon SES tells by Amazon SNS', () => {
  test('bounces with a report and without one, and complaints', async () => {
    const client = await app.actor();
    const hook = await hookOf(client);
    const mails = [];
    for (const name of ['reported', 'unreported', 'full', 'complained', 'delivered']) {
      mails.push(await campaignMail(app, client, { email: `${name}@example.jp` }));
    }
    const emailAddress = 'taro@example.jp';
    const told = [
      {
        notificationType: 'Bounce',
        bounce: sesBounce([
          { emailAddress, action: 'failed', status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 no such user' },
        ]),
      },
      { notificationType: 'Bounce', bounce: sesBounce([{ emailAddress }]) },
      {
        eventType: 'Bounce',
        bounce: sesBounce(
          [{ emailAddress, action: 'failed', status: '5.2.2', diagnosticCode: 'smtp; 552 5.2.2 full' }],
          'Transient',
        ),
      },
      { notificationType: 'Complaint', complaint: sesComplaint },
      { notificationType: 'Delivery', delivery: { timestamp: AT, recipients: [emailAddress] } },
    ];
    for (const [index, each] of told.entries()) {
      const source = `bounce+${mails[index]!.token('bounce')}@example.co.jp`;
      const mail = sesMail(source, mails[index]!.message_id);
      // SNS posts a message again whose answer it did not get, with another signature.
      for (const id of ['a', 'b']) {
        const reply = await client.post(hook, ...sns({ ...each, mail }, `${index}${id}`));
        const accepted = index < 4 ? 1 : 0;
        assert.deepEqual([reply.status, reply.body], [202, { accepted, ignored: 1 - accepted }], reply.text);
      }
    }
    await runCampaignJobs(app);
    const becomes = await Promise.all(mails.map(({ contact_id }) => contactOf(client, contact_id)));
    assert.deepEqual(becomes, [
      ['bounced', 'hard_bounce'],
      ['active', null],
      ['active', null],
      ['unsubscribed', 'complaint'],
      ['active', null],
    ]);
    const results = ['bounce hard 5.1.1', 'bounce soft 5.2.2', 'bounce soft null', 'complaint', 'ignored'];
    assert.deepEqual((await resultsOf(client)).sort(), results.sort());
  });
});

describe('what a message of Amazon SNS may hold', () => {
  test('413: more values than a body may have, in the text within it; 202 and ignored for what is no JSON', async () => {
    const client = await app.actor();
    const hook = await hookOf(client);
    const headers = Array.from({ length: 110_000 }, () => 0);
    const mail = { ...sesMail('bounce@example.co.jp', '<1@example.co.jp>'), headers };
    const [body, sent] = sns({ notificationType: 'Bounce', mail, bounce: sesBounce([{}]) }, 'many');
    const reply = await client.post(hook, body, sent);
    assert.deepEqual([reply.status, reply.body.code], [413, 'too_many_values'], reply.text);
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const ignored = await client.post(hook, JSON.stringify({ Type: 'Notification', Message: deep }), sent);
    assert.deepEqual([ignored.status, ignored.body], [202, { accepted: 0, ignored: 1 }], ignored.text);
  });
});

describe('what SendGrid tells', () => {
  test('a thousand events of every kind, of which those count that tell of bounces and complaints', async () => {
    const client = await app.actor();
    const hook = await hookOf(client);
    const bounced = await campaignMail(app, client);
    const complained = await campaignMail(app, client, { email: 'hanako@example.jp' });
    const others = ['processed', 'deferred', 'delivered', 'open', 'click', 'dropped', 'unsubscribe'];
    const events = Array.from({ length: 1_000 }, (_, number) =>
      sendGridEvent(others[number % others.length]!, number, {
        response: '250 OK',
        useragent: 'Mozilla/5.0',
      }),
    );
    events[10] = sendGridEvent('bounce', 10, {
      'smtp-id': bounced.message_id,
      reason: '500 unknown recipient',
      status: '5.0.0',
      type: 'bounce',
    });
    events[990] = sendGridEvent('spamreport', 990, { 'smtp-id': complained.message_id });
    const reply = await client.post(hook, events);
    assert.deepEqual([reply.status, reply.body], [202, { accepted: 2, ignored: 998 }], reply.text);
    await runCampaignJobs(app);
    assert.deepEqual(await contactOf(client, bounced.contact_id), ['bounced', 'hard_bounce']);
    assert.deepEqual(await contactOf(client, complained.contact_id), ['unsubscribed', 'complaint']);
    const kept = (await client.get('/mail/inbound-messages?result=ignored&limit=1')).body;
    assert.equal(kept.total, 998);
  });
});
