import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, describe, test } from 'node:test';
import PostalMime, { type Email } from 'postal-mime';
import { mailboxFolder } from '../../shared/platform/mailer/mailbox.ts';
import { mailboxHeads, mailboxMessage } from '../../shared/platform/mailer/mailbox-message.ts';
import { startApp } from '../support/app.ts';
import { makePdf, PDF_BYTES } from '../support/document-pdfs.ts';
import { newSeller, type Seller } from '../support/documents.ts';
import { toldSoFar } from '../support/facts.ts';
import { smtpSink } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

const app = await startApp();
const sink = await smtpSink();

function start(queues: string, { SMTP_URL = sink.url }: { SMTP_URL?: string | undefined } = {}) {
  return startWorkers(
    {
      DATABASE_URL: app.database_url,
      DATA_DIR: app.context.settings.dataDir,
      SMTP_URL,
      MAIL_FROM: 'Service <no-reply@example.com>',
      BASE_URL: 'https://service.example',
    },
    ['--queues', queues],
  );
}

/** An approved invoice whose PDF is there. */
async function approved(seller: Seller, steps = ['approve'], fields = {}) {
  const invoice = await seller.after('invoice', steps, fields);
  await makePdf(app, seller.organization_id, invoice.id);
  return invoice;
}

/** Mails an invoice and answers the document and the job, once the mail has ended. */
async function mailed(seller: Seller, id: string, body: object) {
  const reply = await seller.act('invoice', id, 'send-email', body);
  assert.equal(reply.status, 202, reply.text);
  return ended(seller, id, reply.body.job.id);
}

function ended(seller: Seller, id: string, job_id: string) {
  return until('the mail has ended', async () => {
    const invoice = await seller.read('invoice', id);
    const { job } = (await seller.get(`/jobs/${job_id}`)).body;
    return !['queued', 'sending'].includes(invoice.email.status) && job.finished_at && { invoice, job };
  });
}

type Entry = { actor: { type: string }; changes: Record<string, [unknown, unknown]> };

async function eventsOf({ organization_id }: Seller): Promise<string[]> {
  const { events } = await toldSoFar(app, organization_id);
  return events.map(({ type }) => type).filter((type) => type.startsWith('invoice.'));
}

async function takenFor(address: string): Promise<Email[]> {
  const own = sink.taken.filter(({ recipients }) => recipients.includes(address));
  return Promise.all(own.map(({ raw }) => PostalMime.parse(raw)));
}

const workers = await start('email,report-export');

describe('a mail with a document', () => {
  const seen = new Set<string>();
  let is_deaf = true;

  before(() => {
    sink.verdict = (to, at) => {
      if (to.startsWith('bad')) return { kind: 'refuse', code: 550, words: 'no such user' };
      const isFirst = at === 'recipient' && !seen.has(to);
      seen.add(to);
      if (to.startsWith('later') && isFirst) return { kind: 'refuse', code: 451, words: 'greylisted' };
      if (to.startsWith('deaf') && (isFirst || is_deaf)) return { kind: 'silence' };
      return { kind: 'take' };
    };
  });

  test('is taken whole, and then the invoice is sent', async () => {
    const seller = await newSeller(app);
    await seller.patch('/invoice-settings', {
      issuer_name: '試験\r\nBcc: x@example.com',
      reply_to: 'seikyu@example.co.jp',
    });
    const company = await seller.make('/crm/companies', { name: '株式会社/山田 "商店"\nBcc: y@example.com' });
    const { id, number } = await approved(seller, ['approve'], { company_id: company.id });
    const { invoice, job } = await mailed(seller, id, {
      to: ['hanako@example.com', 'taro@example.com'],
      cc: ['keiri@example.com'],
      subject: '請求書\r\nBcc: z@example.com\r\n\r\n本文',
      message: 'いつもお世話になっております。\n<script>alert(1)</script> 髙﨑①㈱',
    });
    assert.deepEqual([invoice.status, invoice.email.status, job.status], ['sent', 'sent', 'succeeded']);
    assert.deepEqual(job.result, { document_id: id });
    assert.ok(invoice.sent_at >= job.created_at);
    assert.deepEqual(await eventsOf(seller), ['invoice.created', 'invoice.approved', 'invoice.sent']);
    const [mail, ...others] = await takenFor('hanako@example.com');
    assert.deepEqual(others, []);
    const [{ recipients, raw } = { recipients: [], raw: '' }] = sink.taken.filter(
      ({ to }) => to === 'hanako@example.com',
    );
    assert.deepEqual(recipients, ['hanako@example.com', 'taro@example.com', 'keiri@example.com']);
    assert.deepEqual(mail!.from, { name: '試験 Bcc: x@example.com', address: 'no-reply@example.com' });
    assert.deepEqual(
      mail!.replyTo?.map(({ address }) => address),
      ['seikyu@example.co.jp'],
    );
    assert.deepEqual(
      mail!.to?.map(({ address }) => address),
      ['hanako@example.com', 'taro@example.com'],
    );
    assert.deepEqual(
      mail!.cc?.map(({ address }) => address),
      ['keiri@example.com'],
    );
    assert.equal(mail!.bcc, undefined);
    assert.equal(mail!.subject, '請求書 Bcc: z@example.com 本文');
    assert.equal(mail!.text?.trim(), 'いつもお世話になっております。\n<script>alert(1)</script> 髙﨑①㈱');
    assert.ok(!mail!.html?.includes('<script>'));
    const [file] = mail!.attachments;
    assert.deepEqual(
      [mail!.attachments.length, file!.mimeType, file!.disposition],
      [1, 'application/pdf', 'attachment'],
    );
    assert.match(file!.filename ?? '', new RegExp(`^請求書_${number}_株式会社.山田.*\\.pdf$`));
    assert.doesNotMatch(file!.filename ?? '', /[\p{C}/\\:"]/u);
    assert.deepEqual(Buffer.from(file!.content as ArrayBuffer), PDF_BYTES);
    assert.match(raw, /^Content-Disposition: attachment;\r\n filename\*0\*=utf-8''/m);
  });

  test('is told to be refused for good, with the words of the server; the invoice stays as it was', async () => {
    const seller = await newSeller(app);
    const { id } = await approved(seller);
    const { invoice, job } = await mailed(seller, id, { to: ['bad@example.com'] });
    assert.deepEqual([invoice.status, invoice.sent_at, invoice.email.status], ['approved', null, 'failed']);
    assert.match(invoice.email.last_error, /550 no such user/);
    assert.deepEqual([job.status, job.error.code], ['failed', 'mail_failed']);
    assert.match(job.error.message, /550 no such user/);
    const history = (await seller.get(`/invoices/audit-logs?entity_id=${id}`)).body.items;
    const [end, asked] = history.map(({ actor, changes }: Entry) => [actor.type, changes.email?.[1]]);
    const to = ['bad@example.com'];
    assert.deepEqual(asked, ['api_key', { status: 'queued', to, last_error: null }]);
    assert.deepEqual(end, ['system', { status: 'failed', to, last_error: invoice.email.last_error }]);
    assert.ok(!(await eventsOf(seller)).includes('invoice.sent'));
  });

  test('reaches nobody when the server refuses one of its recipients, who is named', async () => {
    const seller = await newSeller(app);
    const { id } = await approved(seller);
    const { invoice } = await mailed(seller, id, { to: ['good@example.com', 'bad@example.com'] });
    assert.equal(invoice.email.status, 'failed');
    assert.match(invoice.email.last_error, /bad@example\.com: 550 no such user/);
    assert.deepEqual(await takenFor('good@example.com'), []);
    assert.deepEqual((await mailed(seller, id, { to: ['good@example.com'] })).invoice.email.status, 'sent');
  });

  test('is tried again when it is refused for now, and arrives once', async () => {
    const seller = await newSeller(app);
    const { id } = await approved(seller);
    const { invoice } = await mailed(seller, id, { to: ['later@example.com', 'also@example.com'] });
    assert.deepEqual(
      [invoice.status, invoice.email.status, invoice.email.last_error],
      ['sent', 'sent', null],
    );
    assert.equal((await takenFor('also@example.com')).length, 1);
  });

  test('of an invoice that was sent before sends it no second time; of one paid in part it keeps the status', async () => {
    const seller = await newSeller(app);
    const sent = await approved(seller, ['approve', 'send']);
    const first = (await mailed(seller, sent.id, { to: ['a@example.com'] })).invoice;
    assert.deepEqual([first.status, first.sent_at], ['sent', sent.sent_at]);
    const { id } = await approved(seller);
    await seller.act('invoice', id, 'mark-paid', { amount: 1 });
    const part = (await mailed(seller, id, { to: ['b@example.com'] })).invoice;
    assert.deepEqual([part.status, part.sent_at !== null], ['partially_paid', true]);
    assert.equal((await eventsOf(seller)).filter((type) => type === 'invoice.sent').length, 2);
  });

  test('of an invoice that was cancelled before its PDF was there is not sent', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve']);
    const { job } = (await seller.act('invoice', id, 'send-email', { to: ['gone@example.com'] })).body;
    assert.equal((await seller.act('invoice', id, 'cancel')).status, 200);
    await makePdf(app, seller.organization_id, id);
    const { invoice, job: after } = await ended(seller, id, job.id);
    assert.deepEqual([invoice.status, invoice.email.status], ['cancelled', 'failed']);
    assert.match(after.error.message, /was cancelled before it was sent/);
    assert.deepEqual(await takenFor('gone@example.com'), []);
  });

  test('to a server that says nothing any more is cut, while other queues go on, and is tried again', async () => {
    const seller = await newSeller(app);
    const { id } = await approved(seller);
    const { job } = (await seller.act('invoice', id, 'send-email', { to: ['deaf@example.com'] })).body;
    await until('the server is deaf', () => seen.has('deaf@example.com'));
    const exported = (await seller.post('/crm/companies/export', {})).body.job;
    await until('the export is there', async () => {
      return (await seller.get(`/jobs/${exported.id}`)).body.job.status === 'succeeded';
    });
    assert.equal((await seller.read('invoice', id)).email.status, 'queued');
    is_deaf = false;
    const after = await ended(seller, id, job.id);
    assert.equal(after.invoice.email.status, 'sent');
    const [row] = await app.database.withConnection(seller.organization_id, ({ query }) =>
      query<{ attempts: number }>(
        `SELECT attempts FROM mails WHERE organization_id = $1 AND about ->> 'document_id' = $2`,
        [seller.organization_id, id],
      ),
    );
    assert.ok(row!.attempts >= 2);
  });
});

test('a mail whose worker was killed while the server had it is unknown, and never sent again', async () => {
  const seller = await newSeller(app);
  const { id } = await approved(seller);
  sink.texts = 0;
  sink.verdict = (_, at) => ({ kind: at === 'text' ? 'silence' : 'take' });
  const { job } = (await seller.act('invoice', id, 'send-email', { to: ['once@example.com'] })).body;
  await until('the server has the text', () => sink.texts === 1);
  assert.equal((await seller.read('invoice', id)).email.status, 'sending');
  await workers.kill();
  sink.verdict = () => ({ kind: 'take' });
  await start('email');
  const { invoice, job: after } = await ended(seller, id, job.id);
  assert.deepEqual([invoice.status, invoice.email.status, after.status], ['approved', 'unknown', 'failed']);
  assert.match(invoice.email.last_error, /worker ended/);
  assert.deepEqual([after.error.code, sink.texts], ['mail_unknown', 1]);
  const again = await mailed(seller, id, { to: ['once@example.com'] });
  assert.deepEqual([again.invoice.status, (await takenFor('once@example.com')).length], ['sent', 1]);
});

test('the PDF of a quotation that is mailed as a draft is made, and travels as it is served', async () => {
  const seller = await newSeller(app);
  await start('email,pdf-render');
  const { id } = await seller.draft('quotation');
  const reply = await seller.act('quotation', id, 'send-email', { to: ['pdf@example.com'] });
  assert.equal(reply.status, 202, reply.text);
  const { pdf } = await until('the mail is sent', async () => {
    const quotation = await seller.read('quotation', id);
    return quotation.email.status === 'sent' && quotation;
  });
  const [mail] = await takenFor('pdf@example.com');
  const bytes = Buffer.from(mail!.attachments[0]!.content as ArrayBuffer);
  assert.deepEqual([createHash('sha256').update(bytes).digest('hex'), bytes.length], [pdf.sha256, pdf.size]);
});

test('without a mail server the mail is kept in the local mailbox, with its PDF', async () => {
  const seller = await newSeller(app);
  const { id, number } = await approved(seller);
  await workers.kill();
  await start('email', { SMTP_URL: '' });
  assert.equal((await mailed(seller, id, { to: ['local@example.com'] })).invoice.status, 'sent');
  const folder = mailboxFolder(app.context.settings.dataDir);
  const heads = await mailboxHeads(folder, 10);
  assert.deepEqual(
    heads.map(({ to, subject }) => [to, subject]),
    [[['local@example.com'], `請求書 ${number} のご送付`]],
  );
  const [attachment] = (await mailboxMessage(folder, heads[0]!.id))!.attachments;
  assert.equal(attachment!.file_name, `請求書_${number}_株式会社山田商店.pdf`);
  assert.deepEqual(Buffer.from(attachment!.content), PDF_BYTES);
});
