import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { schemaWith, seedForm, seedResponses } from '../../support/many-responses.ts';

const app = await startApp();
const client = await app.actor();

const options = (...ids: string[]) => ids.map((id) => ({ id, label: id.toUpperCase() }));
const fields = [
  { id: 'kind', type: 'choice', label: '用件', allow_other: true, options: options('new', 'repair') },
  { id: 'several', type: 'multi_choice', label: '複数', options: options('a', 'b', 'c') },
  { id: 'seats', type: 'number', label: '席数', decimals: 2 },
  { id: 'nps', type: 'nps', label: 'おすすめ度' },
  { id: 'agreed', type: 'yes_no', label: '同意' },
  { id: 'order', type: 'ranking', label: '順位', options: options('a', 'b') },
  {
    id: 'grid',
    type: 'matrix',
    label: '評価',
    rows: options('speed', 'price'),
    columns: options('good', 'bad'),
    multiple: true,
  },
  { id: 'note', type: 'statement', label: '説明', text: '説明' },
];
const first = schemaWith([
  { id: 'kind', type: 'choice', label: '旧用件', options: options('new', 'gone') },
  { id: 'vanished', type: 'short_text', label: '旧項目' },
]);
const { form_id } = await seedForm(app.database, client.actor, [first, schemaWith(fields)]);
const answers = [
  { form_version: 1, data: { kind: 'gone', vanished: 'x' } },
  { data: { kind: 'new', several: ['a', 'b'], seats: '1', nps: 9, agreed: true, order: ['b', 'a'] } },
  { data: { kind: { other: 'ほか' }, several: ['a'], seats: '2', nps: 6, agreed: false, order: ['b', 'a'] } },
  { data: { kind: 'new', seats: '2', nps: 8, grid: { speed: ['good', 'bad'], price: ['bad'] } } },
  { data: { seats: '-3.5', nps: 10, grid: { speed: ['good'] } } },
  { data: { kind: 'repair', seats: '1000' }, is_spam: true },
];
const ids = await seedResponses(app.database, client.actor, { form_id, fields: [] }, answers.length, (n) => ({
  form_version: 2,
  ...answers[n]!,
}));

async function summaryOf(query = '') {
  const reply = await client.get(`/forms/${form_id}/summary${query}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.summary;
}

describe('200: the summary', () => {
  test('is of the responses of all versions, without spam', async () => {
    const { fields: summed, ...whole } = await summaryOf();
    assert.deepEqual(whole, {
      object: 'forms.summary',
      form_id,
      views: 0,
      starts: 0,
      completions: 5,
      pages: [{ id: 'first_page', reached: 0 }],
    });
    const named = Object.fromEntries(summed.map((field: { id: string }) => [field.id, field]));
    assert.deepEqual(Object.keys(named), [
      'kind',
      'several',
      'seats',
      'nps',
      'agreed',
      'order',
      'grid',
      'vanished',
    ]);
    assert.deepEqual(named.kind, {
      id: 'kind',
      type: 'choice',
      label: '用件',
      answered: 4,
      skipped: 1,
      options: [
        { id: 'new', count: 2, percent: '50.0' },
        { id: 'repair', count: 0, percent: '0.0' },
        { id: 'gone', count: 1, percent: '25.0' },
        { id: null, count: 1, percent: '25.0' },
      ],
    });
    assert.deepEqual(named.several.options, [
      { id: 'a', count: 2, percent: '100.0' },
      { id: 'b', count: 1, percent: '50.0' },
      { id: 'c', count: 0, percent: '0.0' },
    ]);
    const { min, max, mean, median, answered, skipped } = named.seats;
    assert.deepEqual(
      { min, max, mean, median, answered, skipped },
      { min: '-3.5', max: '2', mean: '0.38', median: '1.50', answered: 4, skipped: 0 },
    );
    const { promoters, passives, detractors, score } = named.nps;
    assert.deepEqual(
      { promoters, passives, detractors, score },
      { promoters: 2, passives: 1, detractors: 1, score: '25.0' },
    );
    assert.deepEqual(named.agreed.options, [
      { id: 'true', count: 1, percent: '50.0' },
      { id: 'false', count: 1, percent: '50.0' },
    ]);
    assert.deepEqual(named.order.options, [
      { id: 'a', count: 0, percent: '0.0' },
      { id: 'b', count: 2, percent: '100.0' },
    ]);
    assert.deepEqual(named.grid.rows, [
      {
        id: 'speed',
        answered: 2,
        options: [
          { id: 'good', count: 2, percent: '100.0' },
          { id: 'bad', count: 1, percent: '50.0' },
        ],
      },
      {
        id: 'price',
        answered: 1,
        options: [
          { id: 'good', count: 0, percent: '0.0' },
          { id: 'bad', count: 1, percent: '100.0' },
        ],
      },
    ]);
    assert.deepEqual(named.vanished, {
      id: 'vanished',
      type: 'short_text',
      label: '旧項目',
      answered: 1,
      skipped: 0,
    });
  });

  test('is of a period, the first time inclusive and the second exclusive', async () => {
    const { body } = await client.get(`/forms/${form_id}/responses?order=asc`);
    const times = body.items.map(({ submitted_at }: { submitted_at: string }) => submitted_at);
    const { completions } = await summaryOf(`?submitted_after=${times[1]}&submitted_before=${times[3]}`);
    assert.equal(completions, 2);
  });

  test('tells how far visitors came', async () => {
    await app.database.withConnection(client.actor.organization_id, ({ query }) =>
      query(
        `INSERT INTO forms_visits (organization_id, form_id, page_id, views, starts, reached)
         VALUES ($1, $2, '', 20, 8, 0), ($1, $2, 'first_page', 0, 0, 7)`,
        [client.actor.organization_id, form_id],
      ),
    );
    const { views, starts, pages } = await summaryOf();
    assert.deepEqual(
      { views, starts, pages },
      { views: 20, starts: 8, pages: [{ id: 'first_page', reached: 7 }] },
    );
  });

  test('of a form without answers has none', async () => {
    const empty = await seedForm(app.database, client.actor, [schemaWith(fields)]);
    const { body } = await client.get(`/forms/${empty.form_id}/summary`);
    const nps = body.summary.fields.find(({ id }: { id: string }) => id === 'nps');
    assert.deepEqual([nps.answered, nps.mean, nps.score], [0, null, null]);
    assert.equal(ids.length, answers.length);
  });
});

test('404: a form of another organization', async () => {
  const stranger = await app.actor();
  assert.equal((await stranger.get(`/forms/${form_id}/summary`)).status, 404);
});
