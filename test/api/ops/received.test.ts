import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { clockBefore, insertRow, MINUTE } from '../../support/lively-rows.ts';
import { fetchAsOperator, WITH_OPERATORS } from '../../support/operators.ts';
import { newBuyer } from '../../support/received.ts';
import { attemptWith } from '../../support/received-files.ts';

const { at } = clockBefore(new Date());
const HOUR = 60 * MINUTE;
const app = await startApp({ environment: WITH_OPERATORS });

before(async () => {
  const buyer = await newBuyer(app);
  const damaged = { name: 'secret.pdf', bytes: Buffer.from('%PDF-1.4\n%%EOF\n') };
  const reply = await attemptWith(buyer, 'invoice', [damaged], { number: 'secret' });
  assert.equal(reply.status, 201, reply.text);
  const { organization_id } = buyer;
  await app.database.withConnection('*', async ({ query }) => {
    for (const [id, status, hours] of [
      ['job_waiting', 'queued', 2],
      ['job_begun', 'running', 1],
      ['job_given_up', 'failed', 5],
    ] as const) {
      const created_at = at(hours * HOUR);
      const job = { organization_id, id, kind: 'received.invoices.pdf', scope: 'received:read', status };
      await insertRow(query, 'jobs', { ...job, progress_done: 0, created_at, updated_at: at(0) });
      const print = { sheet: { organization: 'secret' } };
      await insertRow(query, 'received_sheets', { organization_id, job_id: id, print, created_at });
    }
    for (const [job_id, created_at] of [
      ['job_behind', at(3 * HOUR)],
      ['job_in_time', at(MINUTE)],
    ] as const) {
      const file = { organization_id, job_id, content: 'secret', records: 1, amount: 100 };
      await insertRow(query, 'received_transfer_files', { ...file, created_at });
    }
  });
});

describe('the received documents of all organizations', () => {
  test('are a panel of what waits and failed, with ages and without names', async () => {
    const text = await (await fetchAsOperator(`${app.base_url}/ops`)).text();
    const from = text.indexOf('Received documents of all organizations');
    const panel = text.slice(from, text.indexOf('Scheduler of all organizations'));
    for (const [title, value, age] of [
      ['PDFs to be made of pictures and records', 2, '2 h ago'],
      ['PDFs that were given up this week', 1, '5 h ago'],
      ['Files that could not be read this week', 1, ' ago'],
      ['Transfer files that are not stored', 1, '3 h ago'],
      ['Changes without their link in the chain', 1, ' ago'],
    ] as const) {
      assert.match(
        panel,
        new RegExp(`${title}(?:(?!</tr>)[\\s\\S])*?>${value}<(?:(?!</tr>)[\\s\\S])*?${age}`),
      );
    }
    assert.doesNotMatch(panel, /secret/);
  });

  test('are numbers at /metrics', async () => {
    const told = await (await fetch(`${app.base_url}/metrics`)).text();
    assert.match(told, /^received_pdfs_waiting 2$/m);
    assert.match(told, /^received_pdfs_failed_oldest_seconds (18|19|20)\d{3}\b/m);
    assert.match(told, /^evidence_entries_unsealed 1$/m);
  });
});
