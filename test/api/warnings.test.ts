import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasons } from '../../shared/platform/operators/reasons.ts';
import { startApp } from '../support/app.ts';
import { newJob } from '../support/jobs.ts';
import { newBuyer, simple } from '../support/received.ts';

const app = await startApp();
const buyer = await newBuyer(app);
const { company } = buyer;
const JAPANESE = { 'Accept-Language': 'ja' };
const MISSING = {
  en: 'There is no registration number, so this is not a qualified invoice',
  ja: '登録番号がないため、適格請求書ではありません',
};

const messageOf = ({ warnings }: { warnings: { message: string }[] }) => warnings[0]!.message;

test('warnings are in the language that is asked for, of one record and of each in a list', async () => {
  const key = { 'Idempotency-Key': 'warned' };
  const body = { company_id: company.id, ...simple };
  const made = await buyer.post('/received-invoices', body, { ...JAPANESE, ...key });
  assert.equal(messageOf(made.body.received_invoice), MISSING.ja);
  assert.match(made.headers.get('Vary') ?? '', /Accept-Language/);
  const again = await buyer.post('/received-invoices', body, { ...JAPANESE, ...key });
  assert.equal(again.text, made.text);
  const path = `/received-invoices/${made.body.received_invoice.id}`;
  for (const [headers, message] of [
    [{}, MISSING.en],
    [JAPANESE, MISSING.ja],
    [{ 'Accept-Language': 'fr' }, MISSING.en],
  ] as const) {
    assert.equal(messageOf((await buyer.get(path, headers)).body.received_invoice), message);
    const { items } = (await buyer.get('/received-invoices', headers)).body;
    assert.deepEqual(items.map(messageOf), [message]);
    const any = (await buyer.get('/receive/documents', headers)).body;
    assert.deepEqual(any.items.map(messageOf), [message]);
  }
  const [entry] = (await buyer.get('/receive/audit-logs', JAPANESE)).body.items;
  assert.equal(entry.changes.warnings[1][0].message, MISSING.en, 'entries are shown as they were sealed');
});

test('the domains below speak alike', async () => {
  const strange = { name: '株式会社みなと', invoice_registration_number: 'T1000012050002' };
  const customer = await buyer.post('/crm/companies', strange, JAPANESE);
  assert.match(messageOf(customer.body.company), /^法人番号の検査用数字/);
  const fields = { company_id: company.id, ...simple };
  const invoice = await buyer.post('/invoices', fields, JAPANESE);
  assert.match(messageOf(invoice.body.invoice), /^設定に登録番号がない/);
});

test('so is why a job or an import failed, of one and of each in a list, as far as the service says it', async () => {
  const job = await newJob(app, buyer.actor.organization_id, 'received:read');
  const fails = (message: string) =>
    app.database.withConnection('*', ({ query }) =>
      query("UPDATE jobs SET status = 'failed', finished_at = now(), error = $2 WHERE id = $1", [
        job.id,
        JSON.stringify({ code: 'gave_up', message }),
      ]),
    );
  const told = async (headers: Record<string, string>) => {
    const { error } = (await buyer.get(`/jobs/${job.id}`, headers)).body.job;
    const { items } = (await buyer.get('/jobs', headers)).body;
    assert.deepEqual(items.find(({ id }: { id: string }) => id === job.id).error, error);
    assert.equal(error.code, 'gave_up');
    return error.message;
  };
  const { en, ja } = reasons.given_up_after(reasons.chromium_ended().en, 3);
  await fails(en);
  assert.equal(await told({}), en);
  assert.equal(await told(JAPANESE), 'Chromiumが終了しました（3回試して中止）');
  assert.match(ja, /3回試して中止/);
  await fails('451 4.3.0 Try again later');
  assert.equal(await told(JAPANESE), '451 4.3.0 Try again later');
});

test('so is why the mail of a document failed', async () => {
  const made = await buyer.post('/quotations', {
    company_id: company.id,
    issue_date: '2026-11-01',
    line_items: simple.line_items,
  });
  const { id } = made.body.quotation;
  const path = `/quotations/${id}/send-email`;
  const sent = await buyer.post(path, { to: ['keiri@minato.example.jp'] });
  assert.equal(sent.status, 202, sent.text);
  const { en } = reasons.given_up(12, reasons.server_answered(550, 'RCPT TO').en);
  const ja = '12回試して中止しました：メールサーバーが RCPT TO に 550 と応答しました';
  await app.database.withConnection('*', ({ query }) =>
    query(
      "UPDATE mails SET status = 'failed', error = $2 WHERE id IN (SELECT mail_id FROM invoicing_emails WHERE document_id = $1)",
      [id, en],
    ),
  );
  const told = async (headers: Record<string, string>) =>
    (await buyer.get(`/quotations/${id}`, headers)).body.quotation.email.last_error;
  assert.deepEqual([await told({}), await told(JAPANESE)], [en, ja]);
});
