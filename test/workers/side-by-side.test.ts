import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { bookkeeping, domains, references } from '../../shared/domains.ts';
import { exportJob } from '../../shared/platform/exports/jobs.ts';
import { runImportJob } from '../../shared/platform/imports/jobs.ts';
import { steadyPace } from '../../shared/platform/imports/run/pace.ts';
import { runRevert } from '../../shared/platform/imports/run/revert.ts';
import { runImport } from '../../shared/platform/imports/run/run.ts';
import { mailboxFolder, mailboxIds, mailboxTransport } from '../../shared/platform/mailer/mailbox.ts';
import { purposesOf } from '../../shared/platform/mailer/purposes.ts';
import { smtpTransport } from '../../shared/platform/mailer/smtp.ts';
import { secretKeysOf } from '../../shared/platform/secrets/keys.ts';
import { exportList } from '../../workers/exports/export-list.ts';
import { exporters } from '../../workers/exports/exporters.ts';
import { importDomains } from '../../workers/imports/domains.ts';
import { writeErrorReport } from '../../workers/imports/write-error-report.ts';
import { renderDraft } from '../../workers/invoicing/render-draft.ts';
import { renderPrint } from '../../workers/invoicing/render-print.ts';
import { type Handler, Overtaken } from '../../workers/kernel/handler.ts';
import { openOutbox } from '../../workers/kernel/outbox.ts';
import { sendMail } from '../../workers/mailer/send-mail.ts';
import { renderReceived } from '../../workers/received/render.ts';
import { startApp } from '../support/app.ts';
import { release, standing, type Taken, takeDelivery } from '../support/deliveries.ts';
import { newSeller } from '../support/documents.ts';
import { importsOf } from '../support/imports.ts';
import { askForMails, mailStates } from '../support/mail-states.ts';
import { formOf } from '../support/received-files.ts';
import { testRenderer } from '../support/rendering.ts';
import { smtpSink } from '../support/smtp-sink.ts';

const app = await startApp();
const { database, database_url: direct_url } = app;
const { storage, settings } = app.context;
const seller = await newSeller(app);
const { organization_id } = seller;
const imports = importsOf({
  database: { database, url: direct_url, drop: async () => {} },
  storage,
  actor: seller.actor,
});

const query = <Row extends object>(text: string, values: unknown[] = []) =>
  database.withConnection('*', (connection) => connection.query<Row>(text, values));

/** The one delivery that the outbox holds of a job. */
async function deliveryOf(name: string) {
  const rows = await query<{ id: string; payload: never }>('SELECT id, payload FROM outbox WHERE name = $1', [
    name,
  ]);
  assert.equal(rows.length, 1, name);
  return rows[0]!;
}

/** Runs a handler as a try does, and ends the delivery where the handler had nothing to write. */
async function run(handle: Handler<never>, payload: never, taken: Taken): Promise<'ended' | 'overtaken'> {
  try {
    await handle(payload, taken);
  } catch (error) {
    if (error instanceof Overtaken) return 'overtaken';
    throw error;
  }
  const { start } = taken;
  await openOutbox(database, start.process_number).settle({ ...start, now: new Date() });
  return 'ended';
}

type Kind = {
  job: string;
  handle: Handler<never>;
  ask: () => Promise<unknown>;
  /** What came of it, the same however many tries there were. */
  check: () => Promise<void>;
};

/** Has a second try begun, and run to its end, before each transaction of the first one in turn. */
async function takeAwayAtEachStep({ job, handle, ask, check }: Kind): Promise<number> {
  for (let at = 0; ; at += 1) {
    await ask();
    const { id, payload } = await deliveryOf(job);
    let second: Promise<'ended' | 'overtaken'> | null = null;
    const takeOver = async () => {
      await release(database, older);
      return run(handle, payload, await takeDelivery({ database }, id));
    };
    const step = async (number: number) => {
      if (number !== at) return;
      second = takeOver();
      await second;
    };
    const older: Taken = await takeDelivery({ database, step }, id);
    const first = await run(handle, payload, older);
    // A try does not wait for what it says of its progress, so the other one may go on when it has ended.
    const outcomes = [first, await second];
    assert.deepEqual(outcomes, second ? ['overtaken', 'ended'] : ['ended', null], `${job} at step ${at}`);
    assert.deepEqual(await standing(database, id), { rows: 0, receipts: 1 });
    await check();
    if (!second) return at;
  }
}

/** The latest job has succeeded, with one file where it makes one. */
async function checkJob(files: number): Promise<void> {
  const [job] = await query(
    `SELECT status, (SELECT count(*)::integer FROM job_files WHERE job_id = jobs.id) AS files
       FROM jobs ORDER BY id DESC LIMIT 1`,
  );
  assert.deepEqual(job, { status: 'succeeded', files });
}

describe('of two tries of a job, wherever the second one begins, one is written', () => {
  test('an export', async () => {
    const steps = await takeAwayAtEachStep({
      job: exportJob.name,
      handle: exportList({ storage, database_url: direct_url, exporters }) as Handler<never>,
      ask: () => seller.post('/crm/companies/export', {}),
      check: async () => {
        await checkJob(1);
        assert.deepEqual(await query("SELECT FROM loose_files WHERE storage_key LIKE '%/exports/%'"), []);
      },
    });
    assert.ok(steps >= 3, `${steps}`);
  });

  test('an import, its report of faulty rows, and its revert', async () => {
    const pace = () => steadyPace(2);
    const given = { references, bookkeeping };
    const runner = { direct_url, storage, domains: importDomains, given, pace, clock: () => new Date() };
    let list = 0;
    let id = '';
    const checkImport = async (status: string) => {
      const row = await imports.read(id);
      const { created_count, error_count, processed_rows } = row;
      assert.deepEqual(
        { status: row.status, created_count, error_count, processed_rows },
        { status, created_count: 5, error_count: 1, processed_rows: 6 },
      );
    };
    const contactsOf = async (number: number) =>
      (await query('SELECT FROM mail_contacts WHERE email LIKE $1', [`%@list-${number}.example`])).length;
    const askForImport = async () => {
      list += 1;
      const rows = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@list-${list}.example`);
      id = (await imports.create(['email', ...rows, 'nobody', ''].join('\n'))).id;
    };
    const runHandler = ((named, delivery) => runImport(runner, named, delivery)) as Handler<never>;
    const steps = await takeAwayAtEachStep({
      job: runImportJob.name,
      handle: runHandler,
      ask: askForImport,
      check: async () => {
        await checkImport('completed');
        await checkJob(0);
        assert.equal(await contactsOf(list), 5);
      },
    });
    assert.ok(steps >= 6, `${steps}`);

    const importNow = async () => {
      await askForImport();
      const { id: delivery_id, payload } = await deliveryOf(runImportJob.name);
      await run(runHandler, payload, await takeDelivery({ database }, delivery_id));
    };
    await takeAwayAtEachStep({
      job: 'imports.write_error_report',
      handle: writeErrorReport({ storage }) as Handler<never>,
      ask: async () => {
        await importNow();
        const path = `/mail/imports/${id}/errors?format=csv`;
        const reply = await seller.get(path, { Prefer: 'respond-async' });
        assert.equal(reply.status, 202, reply.text);
      },
      check: async () => {
        await checkJob(1);
        assert.deepEqual(await query("SELECT FROM loose_files WHERE storage_key LIKE '%/reports/%'"), []);
      },
    });

    await takeAwayAtEachStep({
      job: 'imports.revert',
      handle: ((named, delivery) =>
        runRevert({ imports: importDomains, given }, named, delivery)) as Handler<never>,
      ask: async () => {
        await importNow();
        const reply = await seller.post(`/mail/imports/${id}/revert`, {});
        assert.equal(reply.status, 202, reply.text);
      },
      check: async () => {
        await checkImport('reverted');
        await checkJob(0);
        assert.equal(await contactsOf(list), 0);
      },
    });
  });

  test('a mail to a server, and one to the local mailbox', async () => {
    const sink = await smtpSink();
    const folder = mailboxFolder(settings.dataDir);
    const mail_from = 'no-reply@example.com';
    const base_url = 'https://service.example';
    const options = { storage, mail_from, base_url, secret_keys: secretKeysOf(settings) };
    let ids: string[] = [];
    for (const [name, transport] of [
      ['smtp', smtpTransport(sink.url)],
      ['mailbox', mailboxTransport(folder)],
    ] as const) {
      let number = 0;
      const steps = await takeAwayAtEachStep({
        job: 'mailer.send_mail',
        handle: sendMail({ ...options, transport, purposes: purposesOf(domains) }) as Handler<never>,
        ask: async () => {
          number += 1;
          ids = await askForMails(database, `${name}-${number}`, 1);
        },
        check: async () => {
          const [mail] = await mailStates(database, ids);
          assert.equal(mail!.status, 'sent');
          const [id] = ids;
          const copies = sink.taken.filter(({ message_id }) => message_id.includes(id!)).length;
          const kept = (await mailboxIds(folder)).filter((each) => each === id).length;
          assert.equal(copies + kept, 1);
        },
      });
      assert.ok(steps >= 2, `${steps}`);
    }
  });

  test('the PDF of an issued document, and of a draft', async () => {
    const options = { storage, renderer: testRenderer() };
    let document_id = '';
    await takeAwayAtEachStep({
      job: 'invoicing.render_print',
      handle: renderPrint(options) as Handler<never>,
      ask: async () => {
        document_id = (await seller.after('invoice', ['approve'])).id;
      },
      check: async () => {
        await checkJob(1);
        const prints = await query('SELECT status FROM invoicing_prints WHERE document_id = $1', [
          document_id,
        ]);
        assert.deepEqual(prints, [{ status: 'ready' }]);
      },
    });
    await takeAwayAtEachStep({
      job: 'invoicing.render_draft',
      handle: renderDraft(options) as Handler<never>,
      ask: async () => {
        document_id = (await seller.after('invoice', [])).id;
        const reply = await seller.get(`/invoices/${document_id}/pdf`, { Prefer: 'respond-async' });
        assert.equal(reply.status, 202, reply.text);
      },
      check: async () => {
        await checkJob(1);
        const left = await query('SELECT FROM invoicing_draft_prints WHERE organization_id = $1', [
          organization_id,
        ]);
        assert.deepEqual(left, []);
      },
    });
  });

  test('the page of a picture that a received document came with', async () => {
    const bytes = await sharp({ create: { width: 8, height: 6, channels: 3, background: '#c00' } })
      .png()
      .toBuffer();
    await takeAwayAtEachStep({
      job: 'received.render',
      handle: renderReceived({ storage, renderer: testRenderer() }) as Handler<never>,
      ask: async () => {
        const sent = formOf([{ name: '領収書.png', bytes }], { allow_duplicate: true });
        const made = await seller.post('/received-invoices', sent);
        assert.equal(made.status, 201, made.text);
        const path = `/received-invoices/${made.body.received_invoice.id}/pdf`;
        const reply = await seller.get(path, { Prefer: 'respond-async' });
        assert.equal(reply.status, 202, reply.text);
      },
      check: async () => {
        await checkJob(1);
        const left = await query('SELECT FROM received_sheets WHERE organization_id = $1', [organization_id]);
        assert.deepEqual(left, []);
      },
    });
  });
});
