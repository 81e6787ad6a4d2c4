import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newSeller } from '../../support/documents.ts';
import {
  download,
  downloadPdf,
  renderings,
  runningBrowsers,
  startRenderers,
} from '../../support/pdf-documents.ts';
import { homesIn, processesOf, readPdf } from '../../support/rendering.ts';
import { startS3 } from '../../support/s3.ts';
import { looseFiles, storedFiles } from '../../support/stored.ts';
import { until } from '../../support/until.ts';

const app = await startApp();
const seller = await newSeller(app);
const { dataDir } = app.context.settings;

/** Long enough to be caught in the middle. */
const line_items = Array.from({ length: 400 }, (_, at) => ({ description: `品目${at}`, unit_price: '100' }));

const jobOf = async (document_id: string) => {
  const rows = await app.database.withConnection(seller.organization_id, ({ query }) =>
    query<{ status: string }>(
      `SELECT jobs.status FROM generated_files JOIN jobs USING (organization_id) WHERE jobs.id = job_id
         AND content_key = $1`,
      [`invoicing.print ${document_id}`],
    ),
  );
  return rows[0]?.status;
};

let issued = 0;

/** A document on which a browser is at work just now. Some are done before anybody has seen it. */
async function atWork(): Promise<{ id: string; pid: number }> {
  for (;;) {
    const { id } = await seller.after('invoice', ['approve'], { line_items });
    issued += 1;
    const pid = await until('a browser is at work, or was', async () => {
      const [running] = runningBrowsers(dataDir);
      const status = await jobOf(id);
      if (status === 'running' && running !== undefined) return running;
      return status === 'succeeded' ? 0 : null;
    });
    if (pid > 0) return { id, pid };
  }
}

describe('a document whose', () => {
  test('Chromium is killed while it renders gets its PDF, once', async () => {
    const workers = await startRenderers(app);
    const { id, pid } = await atWork();
    process.kill(pid, 'SIGKILL');
    const bytes = await downloadPdf(app, seller, `/invoices/${id}/pdf`);
    readPdf(bytes).check();
    await until('nothing of that browser is left', () => processesOf(pid).length === 0);
    await until('nothing is left to be done', async () => (await renderings(app, seller)) === 0);
    assert.equal(storedFiles(app).length, issued);
    assert.deepEqual(await looseFiles(app), []);
    const last = runningBrowsers(dataDir);
    assert.equal(await workers.stop(), 0);
    for (const left of last) await until('no browser is left', () => processesOf(left).length === 0);
    assert.deepEqual(homesIn(dataDir), []);
  });

  test('worker is killed while Chromium hangs gets its PDF from the next one, which ends that Chromium', async () => {
    const first = await startRenderers(app);
    const { id, pid } = await atWork();
    // A browser that stands still does not notice that its worker is gone.
    process.kill(pid, 'SIGSTOP');
    await first.kill();
    assert.ok(processesOf(pid).length > 0);
    const second = await startRenderers(app);
    await until('the hanging browser is ended', () => processesOf(pid).length === 0);
    readPdf(await downloadPdf(app, seller, `/invoices/${id}/pdf`)).check();
    assert.equal((await seller.read('invoice', id)).pdf.status, 'ready');
    assert.equal(await second.stop(), 0);
    await until('no folder is left', () => homesIn(dataDir).length === 0);
  });

  test('worker is killed alone leaves no browser: it ends by itself', async () => {
    const first = await startRenderers(app);
    const { id, pid } = await atWork();
    await first.kill();
    await until('the browser has ended', () => processesOf(pid).length === 0);
    const second = await startRenderers(app);
    await downloadPdf(app, seller, `/invoices/${id}/pdf`);
    await second.stop();
  });
});

describe('a machine where Chromium does not start', () => {
  test('says so when the workers start, tells the reason with the job, and tries again when asked', async () => {
    const broken = await startRenderers(app, { CHROME_PATH: '/nowhere/chromium' });
    const told = await until('the log says so', () =>
      broken.lines.find(({ msg }) => msg.startsWith('Chromium does not start: ')),
    );
    assert.match(String(told.reason), /\/nowhere\/chromium/);
    const { id } = await seller.after('quotation', ['send']);
    const asked = await download(app, seller, `/quotations/${id}/pdf`, { Prefer: 'respond-async' });
    const { job } = JSON.parse(asked.bytes.toString());
    await until('it is tried', async () => (await delivery(job.id))?.error);
    await app.database.withConnection(seller.organization_id, ({ query }) =>
      query('UPDATE outbox SET attempts = 4, due_at = $2 WHERE job_id = $1', [
        job.id,
        new Date().toISOString(),
      ]),
    );
    await until('it is given up', async () => (await seller.read('quotation', id)).pdf.status === 'failed');
    const { error } = (await seller.get(`/jobs/${job.id}`)).body.job;
    assert.equal(error.code, 'gave_up');
    assert.match(error.message, /^Chromium could not be started: .*\/nowhere\/chromium/);
    await broken.stop();
    const mended = await startRenderers(app);
    assert.match(readPdf(await downloadPdf(app, seller, `/quotations/${id}/pdf`)).text(), /株式会社山田商店/);
    assert.equal((await seller.read('quotation', id)).pdf.status, 'ready');
    await mended.stop();
  });

  async function delivery(job_id: string) {
    const rows = await app.database.withConnection(seller.organization_id, ({ query }) =>
      query<{ error: string | null }>('SELECT error FROM outbox WHERE job_id = $1', [job_id]),
    );
    return rows[0];
  }
});

test('PDF files are kept in an S3 store where there is one', async () => {
  const s3 = await startS3();
  const remote = await startApp({ environment: { STORAGE_URL: s3.url } });
  const one = await newSeller(remote);
  const workers = await startRenderers(remote, { STORAGE_URL: s3.url });
  const { id } = await one.after('invoice', ['approve']);
  const bytes = await downloadPdf(remote, one, `/invoices/${id}/pdf`);
  readPdf(bytes).check();
  assert.equal(s3.objects().length, 1);
  assert.ok((await downloadPdf(remote, one, `/invoices/${id}/pdf`)).equals(bytes));
  const part = await download(remote, one, `/invoices/${id}/pdf`, { Range: 'bytes=-6' });
  assert.deepEqual([part.status, part.bytes.toString()], [206, '%%EOF\n']);
  await workers.stop();
});
