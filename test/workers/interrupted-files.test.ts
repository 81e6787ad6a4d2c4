import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { startApp } from '../support/app.ts';
import { entriesOf } from '../support/batches.ts';
import { newSeller, type Seller } from '../support/documents.ts';
import { ended, startExportWorkers } from '../support/exports.ts';
import { somebodyWaits, whileHeld } from '../support/held.ts';
import { download, renderings, startRenderers } from '../support/pdf-documents.ts';
import { until } from '../support/until.ts';

// Workers begin where a test says so, and end with it.
const app = await startApp();
const { dataDir } = app.context.settings;

const folder = mkdtempSync(join(tmpdir(), 'interrupted-files-'));
after(() => rmSync(folder, { recursive: true }));

/** What says that a file is sound, and how. */
const CHECKS: Record<'zip' | 'pdf', [command: string, words: string[], sound: RegExp]> = {
  zip: ['unzip', ['-t'], /No errors detected/],
  pdf: ['qpdf', ['--check'], /No syntax or stream encoding errors/],
};

async function drafts(seller: Seller, count: number): Promise<string[]> {
  const made = await Promise.all(Array.from({ length: count }, () => seller.draft('invoice')));
  return made.map(({ id }) => id as string);
}

async function asked(seller: Seller, body: object): Promise<string> {
  const reply = await seller.post('/invoices/files', body);
  assert.equal(reply.status, 202, reply.text);
  return reply.body.job.id;
}

describe('who may do less by the time of the job', () => {
  const losses: [string, string, number, string][] = [
    ['a key that was revoked', 'revoked_at = now()', 401, 'invalid_credentials'],
    ['a key that may read no invoices any more', `scopes = '{crm:read}'`, 403, 'insufficient_scope'],
  ];
  for (const [who, change, status, code] of losses) {
    test(`${who} has no PDF made`, async () => {
      const seller = await newSeller(app);
      const ids = await drafts(seller, 2);
      const job_id = await asked(seller, { ids });
      const witness = await app.actor({ organization_id: seller.organization_id });
      await app.database.withConnection(seller.organization_id, ({ query }) =>
        query(`UPDATE api_keys SET ${change} WHERE id = $1`, [seller.actor.api_key_id]),
      );
      const workers = await startExportWorkers(app);
      const job = await ended(witness, job_id);
      await workers.stop();
      assert.deepEqual([job.status, job.error?.code], ['failed', 'no_files']);
      assert.deepEqual(
        entriesOf(job),
        ids.map((id) => ({ id, status, code })),
      );
      assert.equal(await renderings(app, seller), 0);
    });
  }

  test('a key that is revoked while its PDFs are made waits for them no longer', async () => {
    const seller = await newSeller(app);
    const ids = await drafts(seller, 2);
    const job_id = await asked(seller, { ids });
    const witness = await app.actor({ organization_id: seller.organization_id });
    const workers = await startExportWorkers(app);
    await until('the PDFs are asked for', async () => (await renderings(app, seller)) === ids.length);
    await app.database.withConnection(seller.organization_id, ({ query }) =>
      query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [seller.actor.api_key_id]),
    );
    const job = await ended(witness, job_id);
    await workers.stop();
    assert.deepEqual([job.status, job.error?.code], ['failed', 'no_files']);
    assert.deepEqual(
      entriesOf(job),
      ids.map((id) => ({ id, status: 401, code: 'invalid_credentials' })),
    );
  });
});

describe('workers that are killed', () => {
  for (const form of ['zip', 'pdf'] as const) {
    test(`while they wait for PDFs, and before they keep the ${form}, leave one sound file`, async () => {
      const seller = await newSeller(app);
      const ids = await drafts(seller, 3);
      const job_id = await asked(seller, { ids, form });
      const first = await startExportWorkers(app);
      await until('the PDFs are asked for', async () => (await renderings(app, seller)) === ids.length);
      await first.kill();
      const renderers = await startRenderers(app);
      await until('the PDFs are made', async () => (await renderings(app, seller)) === 0);
      await renderers.stop();
      await whileHeld(app.database, 'job_files', async () => {
        const second = await startExportWorkers(app);
        await somebodyWaits(app.database);
        await second.kill();
      });
      const third = await startExportWorkers(app);
      const job = await ended(seller, job_id);
      await third.stop();
      assert.deepEqual(
        [job.status, entriesOf(job)],
        ['succeeded', ids.map((id) => ({ id, status: 200, code: null }))],
      );
      const { bytes } = await download(app, seller, `/jobs/${job_id}/file`);
      assert.equal(bytes.length, (job.result as { size: number }).size);
      const path = join(folder, job_id);
      writeFileSync(path, bytes);
      const [command, words, sound] = CHECKS[form];
      assert.match(execFileSync(command, [...words, path], { encoding: 'utf8' }), sound);
      const { organization_id } = seller;
      const written = globSync(`**/${organization_id}/files/${job_id}/**/file_*`, { cwd: dataDir });
      assert.equal(written.length, 1, written.join());
      const left = await app.database.withConnection(organization_id, ({ query }) =>
        query(
          `SELECT id FROM batches WHERE organization_id = $1 UNION ALL
           SELECT storage_key FROM loose_files WHERE organization_id = $1 AND storage_key LIKE '%/files/%'`,
          [organization_id],
        ),
      );
      assert.deepEqual(left, []);
    });
  }
});
