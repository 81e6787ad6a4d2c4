import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newSeller } from '../../support/documents.ts';
import { seedDocuments } from '../../support/many-documents.ts';

const app = await startApp();

test('a filter takes a thousand records and refuses one more, whatever is asked for', async () => {
  const seller = await newSeller(app);
  const { id: company_id } = seller.company;
  await seedDocuments(app.database, seller.actor, 'invoice', { companies: [company_id], count: 1_000 });
  const filter = { company_id };
  const calls: [string, object][] = [
    ['/invoices/batch', { action: 'approve', filter }],
    ['/invoices/files', { filter, form: 'pdf' }],
  ];
  for (const [path, body] of calls) {
    const taken = await seller.post(path, body);
    assert.deepEqual([taken.status, taken.body.job?.progress.total], [202, 1_000], taken.text);
  }
  await seller.draft('invoice');
  for (const [path, body] of calls) {
    const { status, body: problem } = await seller.post(path, body);
    assert.deepEqual(
      [status, problem.code, problem.matching, problem.most],
      [422, 'too_many', 1_001, 1_000],
      path,
    );
  }
  const { total } = (await seller.get('/jobs')).body;
  assert.equal(total, calls.length);
});
