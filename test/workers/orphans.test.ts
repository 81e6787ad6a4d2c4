import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { domains } from '../../shared/domains.ts';
import { releaseWaitingMails } from '../../shared/invoicing/emails/waiting.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { requestExport } from '../../shared/platform/exports/operations.ts';
import { createJob } from '../../shared/platform/jobs/operations.ts';
import { orphanKindsOf } from '../../shared/platform/outbox/orphan-kinds.ts';
import { restoreOrphans } from '../../shared/platform/outbox/orphans.ts';
import { exporters } from '../../workers/exports/exporters.ts';
import { startApp } from '../support/app.ts';
import { makePdf } from '../support/document-pdfs.ts';
import { newSeller } from '../support/documents.ts';
import { importsOf } from '../support/imports.ts';
import { jobStep } from '../support/jobs.ts';
import { askForMails, mailStates } from '../support/mail-states.ts';
import { meanwhile } from '../support/meanwhile.ts';

const app = await startApp();
const { database } = app;
const seller = await newSeller(app);
const { organization_id } = seller;
const ending = new AbortController();
after(() => ending.abort());

const orphanKinds = orphanKindsOf(domains);
const restore = () => restoreOrphans(database, orphanKinds, new Date(), ending.signal);

const query = <Row extends object>(text: string, values: unknown[] = []) =>
  database.withConnection('*', (connection) => connection.query<Row>(text, values));

/** Empties the outbox, as nothing of the service does. */
const loseAll = () => query('DELETE FROM outbox');

/** What the outbox holds, by the names of the jobs. */
async function asked(): Promise<string[]> {
  const rows = await query<{ name: string }>('SELECT name FROM outbox ORDER BY name');
  return rows.map(({ name }) => name);
}

async function job(id: string) {
  const [row] = await query<{ status: string; error: object | null }>(
    'SELECT status, error FROM jobs WHERE id = $1',
    [id],
  );
  return row;
}

describe('what has lost its delivery', () => {
  test('is sent again where it is a mail that waits, and unknown where its text was handed over', async () => {
    const [queued, sending] = await askForMails(database, 'lost', 2);
    await query("UPDATE mails SET status = 'sending', attempts = 1 WHERE id = $1", [sending]);
    await loseAll();
    assert.equal(await restore(), 2);
    const states = await mailStates(database, [queued!, sending!]);
    assert.deepEqual(
      states.map(({ status }) => status),
      ['queued', 'unknown'],
    );
    const rows = await query<{ payload: object }>('SELECT payload FROM outbox');
    assert.deepEqual(rows, [{ payload: { mail_id: queued } }]);
    assert.equal(await restore(), 0);
    await loseAll();
    await query("UPDATE mails SET status = 'sent' WHERE id = $1", [queued]);
  });

  test('goes on where it is the record sheet of a received document', async () => {
    const made = await seller.post('/received-invoices', { number: 'lost' });
    const path = `/received-invoices/${made.body.received_invoice.id}/pdf`;
    assert.equal((await seller.get(path, { Prefer: 'respond-async' })).status, 202);
    const before = await query('SELECT name, payload, job_id FROM outbox');
    assert.deepEqual(await asked(), ['received.render']);
    await loseAll();
    assert.equal(await restore(), 1);
    assert.deepEqual(await query('SELECT name, payload, job_id FROM outbox'), before);
    await query("UPDATE jobs SET status = 'cancelled', finished_at = now() WHERE status = 'queued'");
    await loseAll();
    assert.equal(await restore(), 0);
  });

  test('goes on where it is a batch, or files of many', async () => {
    const { id } = await seller.draft('invoice');
    for (const [path, body] of [
      ['/invoices/batch', { action: 'approve' }],
      ['/invoices/files', { form: 'zip' }],
    ] as const) {
      const reply = await seller.post(path, { ...body, ids: [id] });
      assert.equal(reply.status, 202, reply.text);
    }
    const before = await query('SELECT name, payload, job_id FROM outbox ORDER BY name');
    assert.deepEqual(await asked(), ['platform.collect_files', 'platform.run_batch']);
    await loseAll();
    assert.equal(await restore(), 2);
    assert.deepEqual(await query('SELECT name, payload, job_id FROM outbox ORDER BY name'), before);
    assert.equal(await restore(), 0);
    await query("UPDATE jobs SET status = 'cancelled', finished_at = now() WHERE status = 'queued'");
    await loseAll();
    assert.equal(await restore(), 0);
  });

  test('is done again where that is safe: an export, an import, a PDF', async () => {
    const exporter = exporters.get('crm.companies');
    assert.ok(exporter);
    const request = {
      filters: {},
      sort: [],
      created_after: null,
      created_before: null,
      columns: null,
      encoding: 'utf-8',
      line_ending: 'lf',
    } as unknown as Parameters<typeof requestExport>[2];
    await jobStep(app, organization_id, (work) => requestExport(work, exporter, request));
    const { storage } = app.context;
    const test_database = { database, url: app.database_url, drop: async () => {} };
    const imports = importsOf({ database: test_database, storage, actor: seller.actor });
    await imports.create('email\na@example.com\n');
    await seller.after('invoice', ['approve']);
    const before = await query('SELECT name, payload, job_id FROM outbox ORDER BY name');
    await loseAll();
    assert.equal(await restore(), 3);
    assert.deepEqual(await query('SELECT name, payload, job_id FROM outbox ORDER BY name'), before);
    assert.equal(await restore(), 0);
    await query("UPDATE jobs SET status = 'cancelled', finished_at = now() WHERE status = 'queued'");
    await loseAll();
  });

  test('has failed with a sentence where only its own request knew what to do', async () => {
    const { id } = await jobStep(app, organization_id, (work) =>
      createJob(work, { kind: 'crm.contacts.unknown', scope: '*', unit: null }),
    );
    assert.ok((await restore()) >= 1);
    assert.deepEqual(await job(id), {
      status: 'failed',
      error: {
        code: 'work_lost',
        message: 'The work of this job was lost before it was done. Ask for it again.',
      },
    });
    assert.equal(await restore(), 0);
    await loseAll();
  });

  test('and whose job has ended without it: an import has failed, a PDF gets another job', async () => {
    await query("UPDATE imports SET status = 'running' WHERE status IN ('queued', 'failed')");
    await query("UPDATE invoicing_prints SET status = 'rendering', storage_key = NULL");
    await query("UPDATE jobs SET status = 'cancelled' WHERE status IN ('queued', 'running')");
    await loseAll();
    assert.equal(await restore(), 2);
    const [failed] = await query('SELECT status, error FROM imports');
    assert.equal((failed as { status: string }).status, 'failed');
    assert.deepEqual(await asked(), ['invoicing.render_print']);
    assert.equal(await restore(), 0);
    await query("UPDATE jobs SET status = 'cancelled' WHERE status IN ('queued', 'running')");
    await query('DELETE FROM invoicing_prints');
    await loseAll();
  });
});

describe('nothing is touched that', () => {
  test('waits for something else first, or whose delivery was given up', async () => {
    const invoice = await seller.after('invoice', ['approve']);
    const reply = await seller.act('invoice', invoice.id, 'send-email', { to: ['a@example.com'] });
    assert.equal(reply.status, 202, reply.text);
    await askForMails(database, 'given-up', 1);
    await query("UPDATE outbox SET failed_at = now() WHERE name = 'mailer.send_mail'");
    assert.deepEqual(await asked(), ['invoicing.render_print', 'mailer.send_mail']);
    assert.equal(await restore(), 0);
    assert.deepEqual(await asked(), ['invoicing.render_print', 'mailer.send_mail']);

    await query("DELETE FROM outbox WHERE name = 'mailer.send_mail'");
    await query("DELETE FROM mails WHERE purpose <> 'invoicing.document'");
    await makePdf(app, organization_id, invoice.id);
    const before = await query('SELECT name, payload, job_id FROM outbox');
    await loseAll();
    // The mail has its job back as well, which is to fail when the mail is given up.
    assert.equal(await restore(), 1);
    assert.deepEqual(await query('SELECT name, payload, job_id FROM outbox'), before);
    await loseAll();
    await query("UPDATE mails SET status = 'sent'");
    await query("UPDATE jobs SET status = 'cancelled' WHERE status = 'queued'");
  });

  test('stops to wait while it is looked at, and has its delivery then', async () => {
    const own = {
      act: <T>(run: (work: Work) => Promise<T>) => jobStep(app, organization_id, run),
      query,
    };
    for (const kind of orphanKinds.slice(0, 2)) {
      const invoice = await seller.after('invoice', ['approve']);
      const reply = await seller.act('invoice', invoice.id, 'send-email', { to: ['a@example.com'] });
      assert.equal(reply.status, 202, reply.text);
      // The PDF is there, and this commits just when the sweep asks what waits.
      const release = async (work: Work) => {
        await work.connection.query('LOCK TABLE invoicing_emails IN ACCESS EXCLUSIVE MODE');
        await releaseWaitingMails(work, invoice.id);
      };
      await meanwhile(own, release, async () => {
        assert.equal(await restoreOrphans(database, [kind], new Date(), ending.signal), 0);
      });
      assert.deepEqual(await asked(), ['invoicing.render_print', 'mailer.send_mail']);
      assert.equal((await job(reply.body.job.id))?.status, 'queued');
      await loseAll();
      await query("UPDATE mails SET status = 'sent'");
      await query("UPDATE jobs SET status = 'cancelled' WHERE status = 'queued'");
      await query('DELETE FROM invoicing_prints');
    }
  });

  test('is being made, ended or restored at the same time', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const lost = await askForMails(database, 'lost-once', 20);
    await loseAll();
    const making = names.map((name) => askForMails(database, `beside-${name}`, 20));
    const found = await Promise.all(names.map(() => restore()));
    const made = (await Promise.all(making)).flat();
    await restore();
    assert.equal(found.reduce((sum, count) => sum + count) <= 20, true);
    const rows = await query<{ id: string }>("SELECT payload ->> 'mail_id' AS id FROM outbox");
    assert.deepEqual(rows.map(({ id }) => id).sort(), [...lost, ...made].sort());
  });
});
