import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { makePdf } from '../../support/document-pdfs.ts';
import { newSeller } from '../../support/documents.ts';
import { seedMailContacts } from '../../support/many-mail-contacts.ts';
import { newDraft, newSender } from '../../support/sendable-campaigns.ts';
import { countsByStatus } from '../../support/sent-campaigns.ts';
import { smtpSink } from '../../support/smtp-sink.ts';
import { until } from '../../support/until.ts';
import { startWorkers } from '../../support/workers.ts';

const RECIPIENTS = 2_000;
const CONNECTIONS = 3;
const SOON = 5_000;

const sink = await smtpSink();
const app = await startApp({
  environment: { SMTP_URL: sink.url, MAIL_FROM: 'Service <no-reply@example.com>' },
});

test('an invoice leaves within five seconds while a campaign sends, also while a server lets its connections hang', async () => {
  let silent = false;
  sink.slowness = (to, at) => (to.startsWith('person') && at === 'text' ? 20 : 0);
  sink.verdict = (to, at) =>
    silent && to.startsWith('person') && at === 'text' ? { kind: 'silence' } : { kind: 'take' };
  const workers = await startWorkers(
    {
      DATABASE_URL: app.database_url,
      DATA_DIR: app.context.settings.dataDir,
      SMTP_URL: sink.url,
      MAIL_FROM: 'Service <no-reply@example.com>',
      MAIL_CONNECTIONS: String(CONNECTIONS),
    },
    ['--queues', 'campaign,email'],
  );
  const seller = await newSeller(app);
  const { client, list_id } = await newSender(app, []);
  await seedMailContacts(app.database, client.actor.organization_id, RECIPIENTS, { list_id, indexed: false });
  const path = await newDraft(client, { list_ids: [list_id], purpose: 'notice' });
  const sent = await client.post(`${path}/send`, {});
  assert.equal(sent.status, 202, sent.text);
  const { id } = sent.body.campaign;
  const invoiced = async (to: string) => {
    const invoice = await seller.after('invoice', ['approve']);
    await makePdf(app, seller.organization_id, invoice.id);
    const asked_at = performance.now();
    const reply = await seller.act('invoice', invoice.id, 'send-email', { to: [to] });
    assert.equal(reply.status, 202, reply.text);
    const mail = await until('the invoice has left', () => sink.taken.find((taken) => taken.to === to));
    assert.ok(mail.begun_at - asked_at < SOON, `it left after ${mail.begun_at - asked_at} ms`);
  };
  await until('the campaign sends', () => sink.taken.length > 20);
  for (const to of ['one@example.com', 'two@example.com', 'three@example.com']) await invoiced(to);
  assert.ok((await countsByStatus(app, id)).queued! > 0, 'the campaign still sends');
  silent = true;
  const before = sink.texts;
  await until('all its connections hang', () => sink.texts - before >= CONNECTIONS);
  await invoiced('four@example.com');
  assert.equal((await client.get(path)).body.campaign.status, 'sending');
  await workers.kill();
});
