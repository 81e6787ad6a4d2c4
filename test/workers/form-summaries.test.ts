import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SUMMED_AT_ONCE } from '../../shared/forms/summary/queries.ts';
import { startApp } from '../support/app.ts';
import { ended, startExportWorkers } from '../support/exports.ts';
import { schemaWith, seedForm } from '../support/many-responses.ts';
import { filled } from '../support/plans.ts';

const app = await startApp();
const client = await app.actor();
const { organization_id } = client.actor;
const { form_id } = await seedForm(app.database, client.actor, [
  schemaWith([{ id: 'seats', type: 'number', label: '席数' }]),
]);
const COUNT = SUMMED_AT_ONCE + 1;

// A second apart: half of them answer 1, and half 2.
await filled(app.database_url, () =>
  app.database.withConnection(organization_id, ({ query }) =>
    query(
      `INSERT INTO forms_responses (organization_id, id, form_id, form_version, data, locale, source, search_text, search_grams,
         submitted_at, updated_at)
       SELECT $1, 'resp_' || lpad(n::text, 26, '0'), $2, 1, jsonb_build_object('seats', (1 + n % 2)::text), 'ja', 'api', '', '{}',
         at, at
         FROM generate_series(1, $3::integer) AS n, LATERAL (SELECT timestamptz '2026-11-01' + n * interval '1 second' AS at) AS time`,
      [organization_id, form_id, COUNT],
    ),
  ),
);

const PATH = `/forms/${form_id}/summary`;

describe('a summary of more responses than a request sums up', () => {
  test('is made by a worker, once for all who ask meanwhile', async () => {
    const replies = await Promise.all([client.get(PATH), client.get(PATH), client.get(PATH)]);
    assert.deepEqual(
      replies.map(({ status }) => status),
      [202, 202, 202],
    );
    const ids = new Set(replies.map(({ body }) => body.job.id));
    assert.equal(ids.size, 1);
    const other = await client.get(`${PATH}?submitted_before=2027-01-01T00:00:00Z`);
    assert.equal(other.status, 202, other.text);
    assert.equal(ids.has(other.body.job.id), false, 'another period is another summary');

    await startExportWorkers(app);
    const job = await ended(client, replies[0]!.body.job.id);
    assert.equal(job.status, 'succeeded', JSON.stringify(job));
    const { completions, fields } = job.result!['summary'] as { completions: number; fields: object[] };
    assert.equal(completions, COUNT);
    // One more answers 2 than 1: the mean is a little above the middle.
    assert.deepEqual(fields, [
      {
        id: 'seats',
        type: 'number',
        label: '席数',
        answered: COUNT,
        skipped: 0,
        min: '1',
        max: '2',
        mean: '1.50',
        median: '2.00',
      },
    ]);
    await ended(client, other.body.job.id);
    const again = await client.get(PATH);
    assert.equal(ids.has(again.body.job.id), false, 'what has ended is summed up anew');
    await ended(client, again.body.job.id);
  });

  test('of a period that has fewer is answered at once', async () => {
    const { status, body } = await client.get(`${PATH}?submitted_before=2026-11-01T00:00:03Z`);
    assert.equal(status, 200);
    assert.equal(body.summary.completions, 2);
  });
});
