import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { jobs } from '../../api/jobs.ts';
import { newId } from '../../shared/kernel/id.ts';
import type { JobResource } from '../../shared/platform/jobs/record.ts';
import { startApp } from '../support/app.ts';
import { entriesOf } from '../support/batches.ts';
import { giveUpPdf } from '../support/document-pdfs.ts';
import { newSeller, type Seller } from '../support/documents.ts';
import { ended, startExportWorkers } from '../support/exports.ts';
import { download, startRenderers } from '../support/pdf-documents.ts';
import { pdfPages } from '../support/pdf-pages.ts';

const app = await startApp();
await startExportWorkers(app);

const folder = mkdtempSync(join(tmpdir(), 'files-of-many-'));
after(() => rmSync(folder, { recursive: true }));

/** What the document says that the file of a job may be. */
const declared = jobs.flatMap((endpoint) => (endpoint.kind === 'file' ? endpoint.media_types : []));

/** Asks for files of many, waits for the job and answers it, with the file's path where it has one. */
async function files(
  seller: Seller,
  path: string,
  body: { ids?: string[]; filter?: object; form?: 'zip' | 'pdf' },
): Promise<{ job: JobResource; file: string }> {
  const reply = await seller.post(`${path}/files`, body);
  assert.equal(reply.status, 202, reply.text);
  const job = await ended(seller, reply.body.job.id);
  const { status, bytes, headers } = await download(app, seller, `/jobs/${job.id}/file`);
  const file = join(folder, job.id);
  if (status === 200) {
    const media_type = headers.get('content-type')!;
    assert.equal(media_type, body.form === 'pdf' ? 'application/pdf' : 'application/zip');
    assert.ok(declared.includes(media_type), `jobs.file does not declare ${media_type}`);
    writeFileSync(file, bytes);
  }
  return { job, file };
}

const run = (command: string, words: string[]) =>
  execFileSync(command, words, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } });

describe('files of many documents', () => {
  test('are a zip that unzip takes, or one PDF that qpdf takes, the missing ones made first', async () => {
    await startRenderers(app);
    const seller = await newSeller(app);
    const approved = await seller.after('invoice', ['approve']);
    const drafts = [await seller.draft('invoice'), await seller.draft('invoice')];
    const unknown = newId('inv', new Date());
    const ids = [approved.id, drafts[0].id, unknown, drafts[1].id];
    const zipped = await files(seller, '/invoices', { ids });
    assert.equal(zipped.job.status, 'succeeded', JSON.stringify(zipped.job));
    assert.deepEqual(
      entriesOf(zipped.job).map(({ id, status, code }) => [id, status, code]),
      [
        [approved.id, 200, null],
        [drafts[0].id, 200, null],
        [unknown, 404, 'not_found'],
        [drafts[1].id, 200, null],
      ],
    );
    assert.match(run('unzip', ['-t', zipped.file]), /No errors detected/);
    const names = run('unzip', ['-Z1', zipped.file]).trim().split('\n');
    assert.equal(names[0], `請求書_${approved.number ?? 'INV-2026-0001'}_株式会社山田商店.pdf`);
    assert.equal(names.length, 3);
    assert.ok(
      names.slice(1).every((name) => /^請求書_下書き_\w{6}_株式会社山田商店\.pdf$/.test(name)),
      `${names}`,
    );
    const single = await download(app, seller, `/invoices/${approved.id}/pdf`);
    const member = execFileSync('unzip', ['-p', zipped.file, names[0]!], { maxBuffer: 1e9 });
    assert.ok(member.equals(single.bytes));

    const joined = await files(seller, '/invoices', { filter: { status: 'draft' }, form: 'pdf' });
    assert.match(run('qpdf', ['--check', joined.file]), /No syntax or stream encoding errors/);
    const pages = await pdfPages(execFileSync('cat', [joined.file], { maxBuffer: 1e9 }));
    assert.equal(pages.length, 2);
    const text = run('pdftotext', [joined.file, '-']);
    assert.equal(text.match(/株式会社山田商店/g)?.length, 2);
    const reply = await download(app, seller, `/jobs/${joined.job.id}/file`);
    assert.match(decodeURIComponent(reply.headers.get('content-disposition')!), /請求書_.*\.pdf/);
  });

  test('of credit notes, too, and without any file the job fails and says why', async () => {
    const seller = await newSeller(app);
    const unknown = newId('cn', new Date());
    const { job } = await files(seller, '/credit-notes', { ids: [unknown] });
    assert.deepEqual([job.status, job.error?.code], ['failed', 'no_files']);
    assert.deepEqual(entriesOf(job), [{ id: unknown, status: 404, code: 'not_found' }]);
  });
});

describe('a PDF that cannot be made', () => {
  test('is tried again by the call, and waited for until the job is cancelled', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve']);
    await giveUpPdf(app, seller.organization_id, id);
    const reply = await seller.post('/invoices/files', { ids: [id] });
    const job_id = reply.body.job.id;
    assert.equal((await seller.post(`/jobs/${job_id}/cancel`)).status, 200);
    const job = await ended(seller, job_id);
    assert.equal(job.status, 'cancelled');
    const { status } = await download(app, seller, `/jobs/${job_id}/file`);
    assert.equal(status, 404);
  });
});
