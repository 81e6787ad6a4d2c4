import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domains } from '../../shared/domains.ts';
import { renewInstallation } from '../../shared/platform/installation/decision.ts';
import { discardEarlierMails } from '../../shared/platform/installation/earlier-mails.ts';
import { purposesOf } from '../../shared/platform/mailer/purposes.ts';
import { orphanKindsOf } from '../../shared/platform/outbox/orphan-kinds.ts';
import { restoreOrphans } from '../../shared/platform/outbox/orphans.ts';
import { startApp } from '../support/app.ts';
import { makePdf } from '../support/document-pdfs.ts';
import { newSeller } from '../support/documents.ts';
import { askForMails, mailStates } from '../support/mail-states.ts';

const app = await startApp();
const { database } = app;
const seller = await newSeller(app);
const { organization_id } = seller;

const query = <Row extends object>(text: string, values: unknown[] = []) =>
  database.withConnection('*', (connection) => connection.query<Row>(text, values));

/** Mails an invoice, with its PDF or before it is there; answers the invoice and the job. */
async function mailed(hasPdf: boolean): Promise<{ id: string; job_id: string }> {
  const { id } = await seller.after('invoice', ['approve']);
  if (hasPdf) await makePdf(app, organization_id, id);
  const reply = await seller.act('invoice', id, 'send-email', { to: ['a@example.com'] });
  assert.equal(reply.status, 202, reply.text);
  return { id, job_id: reply.body.job.id };
}

const purposes = purposesOf(domains);

test('who waits for a mail of the backup is told that it is not sent, and why, once', async () => {
  const account = await askForMails(database, 'discarded', 600);
  const [queued, sending, waiting] = [await mailed(true), await mailed(true), await mailed(false)];
  await query("UPDATE mails SET status = 'sending', attempts = 1 WHERE about ->> 'job_id' = $1", [
    sending.job_id,
  ]);
  await renewInstallation(database, new Date(0));
  await renewInstallation(database, new Date(Date.now() + 1_000));
  const [later] = await askForMails(database, 'later', 1);
  await query("UPDATE mails SET created_at = now() + interval '1 minute' WHERE id = $1", [later]);

  // Two operators at the same time discard each mail once.
  const counts = await Promise.all([1, 2].map(() => discardEarlierMails(database, purposes, new Date())));
  assert.equal(counts[0]! + counts[1]!, account.length + 3);
  assert.equal(await discardEarlierMails(database, purposes, new Date()), 0);

  const states = await mailStates(database, [...account, later!]);
  assert.deepEqual(new Set(states.slice(0, -1).map(({ status }) => status)), new Set(['failed']));
  assert.equal(states.at(-1)?.status, 'queued');
  for (const [{ id, job_id }, status] of [
    [queued, 'failed'],
    [sending, 'unknown'],
    [waiting, 'failed'],
  ] as const) {
    const { job } = (await seller.get(`/jobs/${job_id}`)).body;
    assert.deepEqual([job.status, job.error?.code], ['failed', `mail_${status}`]);
    assert.match(job.error.message, /^Not sent: the mail had been waiting in the backup/);
    const invoice = await seller.read('invoice', id);
    assert.deepEqual([invoice.email.status, invoice.email.last_error], [status, job.error.message]);
    assert.deepEqual(await emailHistory(id), [status, 'queued']);
  }

  // Its PDF comes later: nothing is sent, and the history stays as it is.
  await makePdf(app, organization_id, waiting.id);
  const asked = "SELECT 1 FROM outbox WHERE name = 'mailer.send_mail' AND job_id = $1";
  assert.equal((await query(asked, [waiting.job_id])).length, 0);
  assert.deepEqual(await emailHistory(waiting.id), ['failed', 'queued']);

  // The workers drop the deliveries of what has ended, and no sweep finds anything lost.
  await query("DELETE FROM outbox WHERE name = 'mailer.send_mail' AND payload ->> 'mail_id' <> $1", [later]);
  assert.equal(
    await restoreOrphans(database, orphanKindsOf(domains), new Date(), new AbortController().signal),
    0,
  );
});

/** The states of the mails of an invoice as its history shows them, the latest first. */
async function emailHistory(id: string): Promise<string[]> {
  const { items } = (await seller.get(`/invoices/audit-logs?entity_id=${id}`)).body;
  type Entry = { changes: { email?: [unknown, { status: string }] } };
  return items.flatMap(({ changes }: Entry) => (changes.email ? [changes.email[1].status] : []));
}
