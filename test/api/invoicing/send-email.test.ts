import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { giveUpPdf, makePdf, PDF_BYTES } from '../../support/document-pdfs.ts';
import { newSeller, type Seller } from '../../support/documents.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';
import { lettersAbout } from '../../support/letters.ts';

const app = await startApp();
const TO = { to: ['hanako@example.co.jp'] };

/** The deliveries of mails that wait for a worker. */
async function deliveries({ organization_id }: Seller): Promise<{ job_id: string; payload: object }[]> {
  return app.database.withConnection(organization_id, ({ query }) =>
    query(
      `SELECT job_id, payload FROM outbox WHERE organization_id = $1 AND name = 'mailer.send_mail' ORDER BY id`,
      [organization_id],
    ),
  );
}

describe('202', () => {
  test('a draft quotation is issued at once, with its number and its mail in one commit', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.draft('quotation');
    const reply = await seller.act('quotation', id, 'send-email', TO);
    assert.equal(reply.status, 202, reply.text);
    const { quotation, job } = reply.body;
    assert.deepEqual([quotation.status, quotation.pdf.status], ['sent', 'rendering']);
    assert.deepEqual(quotation.email, {
      status: 'queued',
      to: TO.to,
      at: quotation.sent_at,
      last_error: null,
    });
    assert.deepEqual([job.object, job.kind, job.status], ['job', 'invoicing.document.email', 'queued']);
    const read = await seller.read('quotation', id);
    assert.deepEqual([read.status, read.number, read.email], ['sent', quotation.number, quotation.email]);
  });

  test('the delivery waits for the PDF, and begins with it', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.draft('purchase_order');
    const { job } = (await seller.act('purchase_order', id, 'send-email', TO)).body;
    assert.deepEqual(await deliveries(seller), []);
    await makePdf(app, seller.organization_id, id);
    assert.deepEqual(
      (await deliveries(seller)).map(({ job_id }) => job_id),
      [job.id],
    );
    const again = (await seller.act('purchase_order', id, 'send-email', TO)).body;
    assert.equal(again.purchase_order.status, 'sent');
    assert.deepEqual(
      (await deliveries(seller)).map(({ job_id }) => job_id),
      [job.id, again.job.id],
    );
  });

  test('an approved invoice stays approved until the mail server has taken the mail', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve']);
    const told = await toldBy(app, seller.organization_id, async () => {
      const reply = await seller.act('invoice', id, 'send-email', TO);
      assert.deepEqual([reply.status, reply.body.invoice.status], [202, 'approved'], reply.text);
      assert.equal(reply.body.invoice.sent_at, null);
    });
    assert.deepEqual(told.events, []);
  });

  test('delivered notes, credit notes and paid invoices are mailed too', async () => {
    const seller = await newSeller(app);
    const note = await seller.after('delivery_note', ['deliver']);
    assert.equal((await seller.act('delivery_note', note.id, 'send-email', TO)).status, 202);
    const paid = await seller.after('invoice', ['approve', 'mark-paid']);
    assert.equal((await seller.act('invoice', paid.id, 'send-email', TO)).status, 202);
    const invoice = await seller.after('invoice', ['approve']);
    const { credit_note } = (await seller.act('invoice', invoice.id, 'credit-notes')).body;
    const reply = await seller.post(`/credit-notes/${credit_note.id}/send-email`, TO);
    assert.equal(reply.status, 202, reply.text);
    assert.equal(reply.body.credit_note.email.status, 'queued');
  });

  test('it goes to the contact, else to the company, each of whom has to have an address', async () => {
    const seller = await newSeller(app);
    const company = await seller.make('/crm/companies', { name: '会社', email: 'company@example.com' });
    const person = { first_name: '花子', last_name: '山田', company_id: company.id };
    const mute = await seller.make('/crm/contacts', person);
    const hanako = await seller.make('/crm/contacts', { ...person, email: 'hanako@example.com' });
    const found = [];
    for (const contact_id of [null, mute.id, hanako.id]) {
      const { id } = await seller.draft('quotation', { company_id: company.id, contact_id });
      const reply = await seller.post(`/quotations/${id}/send-email`);
      assert.equal(reply.status, 202, reply.text);
      found.push(reply.body.quotation.email.to);
    }
    assert.deepEqual(found, [['company@example.com'], ['company@example.com'], ['hanako@example.com']]);
  });

  test('the letter carries the PDF under its Japanese name, in the words of the settings', async () => {
    const seller = await newSeller(app);
    await seller.patch('/invoice-settings', {
      issuer_name: '試験商事',
      reply_to: 'seikyu@example.co.jp',
      email_templates: {
        invoice: { subject: '{{number}} {{ total }}', message: '{{company_name}}\n{{due_date}}まで' },
      },
    });
    const { id, number } = await seller.after('invoice', ['approve'], { due_date: '2026-05-31' });
    const recipients = { to: ['a@example.com', 'A@example.com'], cc: ['b@example.com', 'a@example.com'] };
    await seller.act('invoice', id, 'send-email', recipients);
    await makePdf(app, seller.organization_id, id);
    const [letter] = await lettersAbout(app, 'invoicing.document', id);
    const { attachments, ...words } = letter!;
    assert.deepEqual(words, {
      from_name: '試験商事',
      reply_to: 'seikyu@example.co.jp',
      to: [{ address: 'a@example.com' }],
      cc: [{ address: 'b@example.com' }],
      locale: 'ja',
      subject: `${number} ¥12,080`,
      paragraphs: ['株式会社山田商店\n2026年5月31日まで'],
    });
    assert.deepEqual(
      attachments?.map(({ file_name, media_type }) => [file_name, media_type]),
      [[`請求書_${number}_株式会社山田商店.pdf`, 'application/pdf']],
    );
    const bytes = await app.context.storage.read(attachments![0]!.storage_key);
    assert.deepEqual(Buffer.concat(await bytes.toArray()), PDF_BYTES);
  });

  test('words of the request are sent as they stand; names that look like places are not filled in', async () => {
    const seller = await newSeller(app);
    const company = await seller.make('/crm/companies', { name: '{{number}} <b>&</b> $& {{constructor}}' });
    const { id } = await seller.after('invoice', ['approve'], { company_id: company.id });
    await seller.act('invoice', id, 'send-email', { ...TO, subject: '{{number}}', message: '{{x}} $1' });
    await seller.act('invoice', id, 'send-email', TO);
    await makePdf(app, seller.organization_id, id);
    const [own, standard] = await lettersAbout(app, 'invoicing.document', id);
    assert.deepEqual([own?.subject, own?.paragraphs], ['{{number}}', ['{{x}} $1']]);
    assert.ok(standard?.paragraphs[0]?.startsWith('{{number}} <b>&</b> $& {{constructor}}\n'));
  });

  test('a PDF that could not be made fails the mails that wait for it; the next mail has it made again', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve']);
    const { job } = (await seller.act('invoice', id, 'send-email', TO)).body;
    await giveUpPdf(app, seller.organization_id, id);
    const { email } = await seller.read('invoice', id);
    assert.deepEqual([email.status, email.last_error], ['failed', 'Chromium could not be started']);
    const failed = (await seller.get(`/jobs/${job.id}`)).body.job;
    assert.deepEqual([failed.status, failed.error.code], ['failed', 'gave_up']);
    const again = await seller.act('invoice', id, 'send-email', TO);
    assert.deepEqual([again.status, again.body.invoice.email.status], [202, 'queued'], again.text);
    await makePdf(app, seller.organization_id, id);
    assert.deepEqual(
      (await deliveries(seller)).map(({ job_id }) => job_id),
      [again.body.job.id],
    );
  });

  test('a mail whose job is cancelled while it waits is not sent', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve']);
    const { job } = (await seller.act('invoice', id, 'send-email', TO)).body;
    assert.equal((await seller.post(`/jobs/${job.id}/cancel`)).status, 200);
    await makePdf(app, seller.organization_id, id);
    assert.deepEqual(await lettersAbout(app, 'invoicing.document', id), []);
  });

  test('of parallel mails of a draft one issues it, and each is a mail of its own', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.draft('quotation');
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => seller.act('quotation', id, 'send-email', TO)),
    );
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([202]));
    assert.equal(new Set(replies.map(({ body }) => body.quotation.number)).size, 1);
    await makePdf(app, seller.organization_id, id);
    assert.equal((await deliveries(seller)).length, 10);
  });

  test('the same Idempotency-Key mails once', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve']);
    const path = `/invoices/${id}/send-email`;
    const key = { 'Idempotency-Key': 'mail-1' };
    const first = await seller.post(path, TO, key);
    const second = await seller.post(path, TO, key);
    assert.deepEqual([second.status, second.body], [202, first.body]);
    await makePdf(app, seller.organization_id, id);
    assert.equal((await deliveries(seller)).length, 1);
  });
});

describe('404', () => {
  test("another organization's document", async () => {
    const [seller, other] = [await newSeller(app), await newSeller(app)];
    const { id } = await seller.after('invoice', ['approve']);
    assert.equal((await other.act('invoice', id, 'send-email', TO)).status, 404);
    assert.equal((await seller.post(`/quotations/${id}/send-email`, TO)).status, 404);
  });
});

describe('409', () => {
  const refused = [
    ['invoice', [], 'draft'],
    ['invoice', ['approve', 'cancel'], 'cancelled'],
    ['quotation', ['send', 'reject'], 'rejected'],
    ['delivery_note', [], 'draft'],
  ] as const;
  for (const [kind, actions, status] of refused) {
    test(`${kind.replace('_', ' ')}: ${status}`, async () => {
      const seller = await newSeller(app);
      const { id } = await seller.after(kind, actions);
      const reply = await seller.act(kind, id, 'send-email', TO);
      assert.deepEqual([reply.status, reply.body.code], [409, 'invalid_transition'], reply.text);
      assert.equal(reply.body.current_status, status);
      assert.equal((await seller.read(kind, id)).email.status, 'none');
    });
  }
});

describe('412', () => {
  test('a document that has changed since', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.draft('quotation');
    const etag = (await seller.get(`/quotations/${id}`)).headers.get('etag') ?? '';
    await seller.patch(`/quotations/${id}`, { subject: '別件' });
    const reply = await seller.post(`/quotations/${id}/send-email`, TO, { 'If-Match': etag });
    assert.equal(reply.status, 412, reply.text);
  });
});

describe('422', () => {
  test('no_recipient, and the draft stays one', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.draft('quotation');
    for (const body of [{}, { to: [] }, { cc: ['copy@example.com'] }]) {
      const reply = await seller.act('quotation', id, 'send-email', body);
      assert.deepEqual([reply.status, reply.body.code], [422, 'no_recipient'], reply.text);
      assert.deepEqual(faultsIn(reply.body), ['/to no_recipient']);
    }
    const { status, number, email } = await seller.read('quotation', id);
    assert.deepEqual([status, email.status], ['draft', 'none'], number);
  });

  test('addresses that would become headers', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve']);
    const reply = await seller.act('invoice', id, 'send-email', {
      to: ['a@example.com\r\nBcc: b@example.com', 'x', '山田@example.com', 'a@example.com, b@example.com'],
      cc: ['"a" <a@example.com>'],
      message: ' \n ',
      from: 'x@example.com',
    });
    assert.equal(reply.status, 422, reply.text);
    assert.deepEqual(faultsIn(reply.body), [
      '/cc/0 invalid_format',
      '/from unknown_field',
      '/message too_short',
      ...[0, 1, 2, 3].map((place) => `/to/${place} invalid_format`),
    ]);
  });

  test('more than twenty addresses, and texts without an end', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve']);
    const reply = await seller.act('invoice', id, 'send-email', {
      to: Array.from({ length: 21 }, (_, number) => `a${number}@example.com`),
      subject: 'x'.repeat(201),
      message: 'x'.repeat(10_001),
    });
    assert.deepEqual(faultsIn(reply.body), ['/message too_long', '/subject too_long', '/to too_large']);
  });
});

describe('429', () => {
  test('more recipients than the hour allows: nothing is issued, sent or counted', async () => {
    const environment = { MAIL_RECIPIENTS_PER_HOUR: '5' };
    const seller = await newSeller(await startApp({ environment }));
    const first = await seller.draft('quotation');
    const four = {
      to: ['a@example.jp', 'b@example.jp'],
      cc: ['c@example.jp', 'A@example.jp', 'd@example.jp'],
    };
    assert.equal((await seller.act('quotation', first.id, 'send-email', four)).status, 202);
    const second = await seller.draft('quotation');
    const refused = await seller.act('quotation', second.id, 'send-email', { to: four.to });
    assert.equal(refused.status, 429, refused.text);
    assert.match(refused.body.detail, /5 recipients an hour; try again in \d+ s/);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal((await seller.read('quotation', second.id)).status, 'draft');
    assert.equal((await seller.act('quotation', second.id, 'send-email', TO)).status, 202);
  });
});
