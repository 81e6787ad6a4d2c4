import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../support/app.ts';
import { entriesOf } from '../support/batches.ts';
import { newSeller, type Seller } from '../support/documents.ts';
import { ended, startExportWorkers } from '../support/exports.ts';
import { renderings } from '../support/pdf-documents.ts';
import { until } from '../support/until.ts';

// Workers begin where a test says so, and end with it.
const app = await startApp();

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
      await startExportWorkers(app);
      const job = await ended(witness, job_id);
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
    await startExportWorkers(app);
    await until('the PDFs are asked for', async () => (await renderings(app, seller)) === ids.length);
    await app.database.withConnection(seller.organization_id, ({ query }) =>
      query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [seller.actor.api_key_id]),
    );
    const job = await ended(witness, job_id);
    assert.deepEqual([job.status, job.error?.code], ['failed', 'no_files']);
    assert.deepEqual(
      entriesOf(job),
      ids.map((id) => ({ id, status: 401, code: 'invalid_credentials' })),
    );
  });
});
