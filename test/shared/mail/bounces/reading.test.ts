import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseJson } from '../../../../api/http/json.ts';
import type { InboundEvent } from '../../../../shared/mail/bounces/event.ts';
import { read } from '../../../../shared/mail/bounces/reading/read.ts';
import { readMail } from '../../../../shared/mail/bounces/reading/reader.ts';
import { eventOfSendGrid } from '../../../../shared/mail/bounces/sendgrid.ts';
import { eventOfSes } from '../../../../shared/mail/bounces/ses.ts';
import { deliveryReport, feedbackReport, plainMail } from '../../../support/mail-reports.ts';

const sesTells = (value: unknown) => eventOfSes(value, parseJson);

const TOKEN = '1113abcdefghjkmnpq';
const TO = `bounce+${TOKEN}@example.co.jp`;
const ignored: InboundEvent = { kind: 'ignored' };

const readText = (text: string) => read(null, Buffer.from(text));

describe('a delivery report', () => {
  it('tells class, status, diagnostic text and all traces', async () => {
    const report = deliveryReport({
      to: TO.toUpperCase(),
      envelope_id: 'abc',
      message_id: '<m@example.co.jp>',
    });
    const bounce = {
      class: 'hard',
      status: '5.1.1',
      diagnostic: '550 5.1.1 <taro@example.jp>: Recipient address rejected',
    };
    const traces = { tokens: [TOKEN, 'abc'], message_ids: ['<m@example.co.jp>'] };
    assert.deepEqual(await readText(report), { kind: 'bounce', bounce, traces });
    assert.deepEqual(await readMail(Buffer.from(report)), { kind: 'bounce', bounce, traces });
  });

  it('is nothing where it is cut before its status, delayed, or tells a success', async () => {
    const report = deliveryReport({ to: TO });
    assert.deepEqual(await readText(report.slice(0, report.indexOf('Action:'))), ignored);
    assert.deepEqual(await readText(report.slice(0, report.length / 2)), ignored);
    assert.deepEqual(await readText(deliveryReport({ to: TO, action: 'delayed', status: '4.4.1' })), ignored);
    assert.deepEqual(await readText(deliveryReport({ to: TO, status: '2.0.0' })), ignored);
  });
});

describe('a feedback report', () => {
  it('is a complaint for abuse and fraud, by the Message-ID in the header of the mail alone', async () => {
    const traces = { tokens: [], message_ids: ['<m@example.co.jp>'] };
    for (const type of ['abuse', 'Fraud']) {
      const report = feedbackReport({ type, message_id: '<m@example.co.jp>' });
      assert.deepEqual(await readText(report), { kind: 'complaint', traces });
    }
  });

  it('is nothing for other types', async () => {
    for (const type of ['not-spam', 'virus', 'opt-out', '']) {
      assert.deepEqual(await readText(feedbackReport({ type, message_id: '<m@example.co.jp>' })), ignored);
    }
  });
});

describe('another mail', () => {
  it('is an answer by itself, one to an address with a token, or nothing', async () => {
    const auto = plainMail(`To: ${TO}`, 'Auto-Submitted: auto-replied (vacation)');
    const traces = { tokens: [TOKEN], message_ids: [] };
    assert.deepEqual(await readText(auto), { kind: 'auto_reply', traces });
    const told = { kind: 'mail', traces };
    assert.deepEqual(await readText(plainMail('To: x@example.jp', `Delivered-To: ${TO}`)), told);
    assert.deepEqual(await readText(plainMail('To: x@example.jp')), ignored);
  });

  it('never breaks the reading, whatever its bytes', async () => {
    const report = Buffer.from(deliveryReport({ to: TO }));
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.nat(report.length), async (bytes, at) => {
        const broken = Buffer.concat([report.subarray(0, at), bytes, report.subarray(at)]);
        assert.ok((await read(null, broken)).kind);
      }),
      { numRuns: 100 },
    );
  });
});

describe('an event of Amazon SES', () => {
  const mail = { source: TO, headers: [{ name: 'Message-ID', value: '<m@example.co.jp>' }] };
  const traces = { tokens: [TOKEN], message_ids: ['<m@example.co.jp>'] };
  const bouncedRecipients = [
    { emailAddress: 'taro@example.jp', status: '5.2.2', diagnosticCode: 'smtp; full' },
  ];
  const bounced = { notificationType: 'Bounce', bounce: { bouncedRecipients }, mail };

  it('is a bounce by its status, wrapped by SNS or raw, as a notification or published', () => {
    const told = {
      kind: 'bounce',
      traces,
      bounce: { class: 'soft', status: '5.2.2', diagnostic: 'smtp; full' },
    };
    assert.deepEqual(sesTells(bounced), told);
    assert.deepEqual(sesTells({ ...bounced, notificationType: undefined, eventType: 'Bounce' }), told);
    assert.deepEqual(sesTells({ Type: 'Notification', Message: JSON.stringify(bounced) }), told);
  });

  it('is a complaint unless its type says otherwise', () => {
    const complained = (complaint: object) => sesTells({ eventType: 'Complaint', complaint, mail });
    assert.deepEqual(complained({}), { kind: 'complaint', traces });
    assert.deepEqual(complained({ complaintFeedbackType: 'not-spam' }), ignored);
  });

  it('asks for a confirmation at an address of SNS alone', () => {
    const asked = (SubscribeURL: string) => sesTells({ Type: 'SubscriptionConfirmation', SubscribeURL });
    const url = 'https://sns.ap-northeast-1.amazonaws.com/?Action=ConfirmSubscription&Token=1';
    assert.deepEqual(asked(url), { kind: 'confirmation', url });
    for (const other of [
      'http://sns.ap-northeast-1.amazonaws.com/',
      'https://sns.ap-northeast-1.amazonaws.com.example.jp/',
      'https://sns.a.b.amazonaws.com/',
      'https://sns.ap-northeast-1.amazonaws.com:8443/',
      'https://me@sns.ap-northeast-1.amazonaws.com/',
      'https://example.jp/?sns.a.amazonaws.com',
      '',
    ]) {
      assert.deepEqual(asked(other), ignored, other);
    }
  });

  it('is nothing for anything else', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => assert.deepEqual(sesTells(value), ignored)));
    assert.deepEqual(sesTells({ Type: 'Notification', Message: 'no JSON' }), ignored);
    assert.deepEqual(sesTells({ notificationType: 'Delivery', mail }), ignored);
    assert.deepEqual(sesTells({ ...bounced, bounce: { bouncedRecipients: [] } }), ignored);
  });

  it('is read of the first thousand recipients and headers, however many are wrong', () => {
    const wrong = Array.from({ length: 1_000 }, () => 1);
    const many = { ...bounced, mail: { ...mail, headers: [...mail.headers, ...wrong] } };
    assert.equal(sesTells(many).kind, 'bounce');
    const late = {
      ...bounced,
      bounce: { bouncedRecipients: [...bouncedRecipients, ...Array(999).fill({}), 1] },
    };
    assert.equal(sesTells(late).kind, 'bounce');
  });
});

describe('an event of SendGrid', () => {
  const message_ids = ['<mrcp_1@example.co.jp>'];
  const traces = { tokens: [], message_ids };

  it('is a bounce by its status, a complaint, or nothing', () => {
    const event = { event: 'bounce', 'smtp-id': message_ids[0], reason: '550 no', status: '5.0.0' };
    const bounce = { class: 'hard', status: '5.0.0', diagnostic: '550 no' };
    assert.deepEqual(eventOfSendGrid(event), { kind: 'bounce', traces, bounce });
    const soft = { class: 'soft', status: null, diagnostic: '550 no' };
    assert.deepEqual(eventOfSendGrid({ ...event, status: null }), { kind: 'bounce', traces, bounce: soft });
    const complaint = { event: 'spamreport', 'smtp-id': 'mrcp_1@example.co.jp' };
    assert.deepEqual(eventOfSendGrid(complaint), { kind: 'complaint', traces });
    for (const other of ['delivered', 'deferred', 'open', 'dropped']) {
      assert.deepEqual(eventOfSendGrid({ ...event, event: other }), ignored);
    }
  });
});
