import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownRevert } from '../../shared/platform/imports/record.ts';
import { startApp } from '../support/app.ts';
import { newSeller } from '../support/documents.ts';
import { ended, rowsOf, startExportWorkers } from '../support/exports.ts';
import { download } from '../support/pdf-documents.ts';
import { formWith } from '../support/uploads.ts';

/** Files that are asked for while workers of the release before and of this one run side by side. */
const app = await startApp({ time_limits: { generating: 50 } });
const seller = await newSeller(app);
const { organization_id } = seller;
await seller.after('invoice', ['approve']);

/** What the release before writes, by what it knows of it: names of jobs. */
const KNOWN_BEFORE = ['platform.export_list', 'platform.write_report', 'imports.run'];

const query = (text: string, values: unknown[]) =>
  app.database.withConnection(organization_id, (connection) =>
    connection.query<{ name: string }>(text, values),
  );

/** Under which name a worker is asked for the file of a job. */
async function nameOf(job_id: string): Promise<string> {
  const text = 'SELECT name FROM outbox WHERE organization_id = $1 AND job_id = $2';
  return (await query(text, [organization_id, job_id]))[0]!.name;
}

test('workers of the release before leave alone what they would write otherwise, and this one writes what that was asked for', async () => {
  const { body } = await seller.post('/invoices/export', { lang: 'ja' });
  assert.ok(!KNOWN_BEFORE.includes(await nameOf(body.job.id)), 'an export');
  const report = async (words: string) => {
    const { status, bytes } = await download(app, seller, `/invoices/ageing?format=csv${words}`);
    assert.equal(status, 202, bytes.toString());
    return JSON.parse(bytes.toString()).job.id as string;
  };
  assert.ok(KNOWN_BEFORE.includes(await nameOf(await report(''))), 'a report');
  const titled = await report('&lang=ja');
  assert.ok(!KNOWN_BEFORE.includes(await nameOf(titled)), 'a report with titles');

  const of_before = (await seller.post('/invoices/export', {})).body.job.id;
  await query('UPDATE outbox SET name = $3 WHERE organization_id = $1 AND job_id = $2', [
    organization_id,
    of_before,
    'platform.export_list',
  ]);
  const workers = await startExportWorkers(app);
  for (const id of [body.job.id, titled, of_before])
    assert.equal((await ended(seller, id)).status, 'succeeded');
  const written = await download(app, seller, `/jobs/${of_before}/file`);
  assert.deepEqual(
    rowsOf(written.bytes).map(({ status }) => status),
    ['approved'],
  );
  await workers.stop();
});

test('workers of the release before leave imports alone, whose fields they may not know, and what a newer one keeps of a revert is not told', async () => {
  const file = formWith('日付,摘要,入金額,残高\r\n2026/5/29,ヤマダ,100,1100\r\n', {});
  const { body, status, text } = await seller.post('/deposits/import', file);
  assert.equal(status, 202, text);
  assert.ok(!KNOWN_BEFORE.includes(await nameOf(body.job.id)));
  const counts = { deleted_count: 1, restored_count: 0, removed_membership_count: 0, left_count: 0 };
  const state = { ...counts, from: 'completed', after: null, of_a_newer_release: {} } as const;
  assert.deepEqual(shownRevert(state), counts);
});
