import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { transaction } from '../../shared/db/transaction.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import { Work } from '../../shared/kernel/work.ts';
import { exportAccountingEvidenceJob } from '../../shared/platform/evidence/jobs.ts';
import { createJob } from '../../shared/platform/jobs/operations.ts';
import { startApp } from '../support/app.ts';
import { newBooks } from '../support/books.ts';
import { pdfBytes, sendEvidence } from '../support/evidence.ts';
import { ended, rowsOf } from '../support/exports.ts';
import { documentIn, resultOf } from '../support/kept-evidence.ts';
import { startWorkers } from '../support/workers.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const app = await startApp();
const { dataDir } = app.context.settings;
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: dataDir }, ['--queues', 'report-export']);

describe('an export of evidence', () => {
  test('has the originals byte by byte, and an index of them', async () => {
    const books = await newBooks(app);
    const { company } = (await books.post('/crm/companies', { name: '=山田,商店' })).body;
    const one = await documentIn(
      app,
      books,
      { company_id: company.id, partner_name: undefined, amount: 5 },
      pdfBytes(1),
    );
    await sendEvidence(
      app,
      books,
      { bytes: pdfBytes(2), name: '../../etc/領収書.pdf' },
      {},
      `/accounting/documents/${one.id}/versions`,
    );
    const entry = await books.post_entry('2025-04-25', [
      ['6250', 5],
      ['1110', -5],
    ]);
    await books.post(`/accounting/documents/${one.id}/link`, { journal_id: entry.id });
    await documentIn(app, books, { amount: 50_000 });
    const result = await resultOf(books, '/evidence/export', { amount_max: 100, date_from: '2025-01-01' });
    assert.equal(result.files, 2);
    const reply = await fetch(`${app.base_url}/api/v1/jobs/${result.job_id}/file`, {
      headers: { Authorization: `Bearer ${books.actor.secret}` },
    });
    assert.match(reply.headers.get('content-type')!, /^application\/zip/);
    const folder = mkdtempSync(join(tmpdir(), 'evidence-'));
    const zip = join(folder, 'evidence.zip');
    writeFileSync(zip, Buffer.from(await reply.arrayBuffer()));
    execFileSync('unzip', ['-tq', zip]);
    execFileSync('unzip', ['-q', zip, '-d', folder]);
    const rows = rowsOf(readFileSync(join(folder, 'index.csv')));
    assert.deepEqual(
      rows.map(({ path, sha256, ...row }) => row),
      ['領収書.pdf', '領収書.pdf'].map((file_name) => ({
        kind: 'document',
        id: one.id,
        number: '',
        transaction_date: '2025-04-25',
        company: "'=山田,商店",
        total: '5',
        registration_number: '',
        status: 'active',
        journal_numbers: String(entry.number),
        file_name,
      })),
    );
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: folder });
    for (const [n, { path, sha256: said }] of rows.entries()) {
      assert.doesNotMatch(path!, /\.\./);
      const [hash] = execFileSync('sha256sum', [join(folder, path!)], { encoding: 'utf8' }).split(' ');
      assert.deepEqual([hash, readFileSync(join(folder, path!))], [said, pdfBytes(n + 1)]);
    }
  });

  test('fails for an original that is lost, and says which', async () => {
    const books = await newBooks(app);
    const lost = await documentIn(app, books);
    const [row] = await app.database.withConnection(books.organization_id, ({ query }) =>
      query<{ storage_key: string }>(
        'SELECT storage_key FROM accounting_document_versions WHERE organization_id = $1 AND document_id = $2',
        [books.organization_id, lost.id],
      ),
    );
    execFileSync('find', [dataDir, '-type', 'f', '-path', `*${row!.storage_key}*`, '-delete']);
    const asked = await books.post('/evidence/export', {});
    const job = await ended(books, asked.body.job.id);
    assert.deepEqual([job.status, job.error?.code], ['failed', 'file_missing']);
    assert.match(job.error!.message, new RegExp(lost.id));
  });

  test('that the release before was asked for has the originals of accounting', async () => {
    const books = await newBooks(app);
    const { organization_id } = books;
    await documentIn(app, books);
    const job_id = await app.database.withConnection(organization_id, (connection) =>
      transaction(connection, async (commit) => {
        const who = { actor: systemActor, request_id: null, ip_address: null };
        const work = new Work({ connection, organization_id, now: new Date(), ...who });
        const asked = { kind: 'platform.evidence.export', scope: 'accounting:read', unit: 'files' } as const;
        const { id } = createJob(work, asked);
        work.enqueue(exportAccountingEvidenceJob, { job_id: id, asked: {} }, { job_id: id });
        await commit(work.finish());
        return id;
      }),
    );
    const job = await ended(books, job_id);
    assert.deepEqual([job.status, (job.result as Shown).files], ['succeeded', 1]);
  });

  test('has an index alone where the filters leave nothing, and is refused where they are wrong', async () => {
    const books = await newBooks(app);
    assert.equal((await resultOf(books, '/evidence/export', { partner: 'ない' })).files, 0);
    const wrong = await books.post('/evidence/export', { amount_min: '5', date_from: '2025-02-30' });
    assert.deepEqual(
      [wrong.status, wrong.body.errors.map(({ path }: Shown) => path)],
      [422, ['/date_from', '/amount_min']],
    );
  });
});
