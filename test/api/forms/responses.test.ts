import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { schemaWith, seedForm, seedResponses } from '../../support/many-responses.ts';

const app = await startApp();
const client = await app.actor();
const reader = await app.actor({ organization_id: client.actor.organization_id, scopes: ['forms:read'] });

const fields = [
  { id: 'kind', type: 'choice' },
  { id: 'several', type: 'multi_choice' },
  { id: 'who', type: 'name' },
  { id: 'seats', type: 'number' },
  { id: 'agreed', type: 'consent' },
  { id: 'message', type: 'long_text' },
  { id: 'grid', type: 'matrix', rows: [{ id: 'speed', label: '速さ' }] },
];
const { form_id } = await seedForm(app.database, client.actor, [
  schemaWith([{ id: 'vanished', type: 'short_text' }]),
  schemaWith(fields),
]);

const answers: Record<string, unknown>[] = [
  { kind: 'new', seats: '12', who: { last_name: '佐藤', first_name: '花子' } },
  { kind: 'repair', several: ['a', { other: 'ほか' }], agreed: true, message: '一行目\n見積もりの件' },
  { kind: { other: '相談' }, several: ['b'], grid: { speed: 'good' } },
  { kind: 'new', message: 'x'.repeat(300) },
  { kind: 'new' },
  { kind: 'repair', who: { last_name: '勅使河原', first_name: '蒼風' } },
];
const ids = await seedResponses(app.database, client.actor, { form_id, fields }, answers.length, (n) => ({
  form_version: n === 0 ? 1 : 2,
  data: answers[n]!,
  is_spam: n === 4,
  ending_id: n === 2 ? 'thanks' : null,
  source: n === 3 ? 'api' : 'page',
  status: n === 5 ? 'done' : 'open',
  assignee_id: n === 5 ? client.actor.user_id : null,
}));
const PATH = `/forms/${form_id}/responses`;

/** The places of what a list answers, in its order. */
async function listed(query: string): Promise<number[]> {
  const reply = await reader.get(`${PATH}?${query}`);
  assert.equal(reply.status, 200, reply.text);
  return (reply.body.items ?? reply.body.data).map(({ id }: { id: string }) => ids.indexOf(id));
}

describe('200: responses are listed', () => {
  test('newest first without spam, with the total that the form counts', async () => {
    const { body } = await reader.get(PATH);
    assert.deepEqual(await listed(''), [5, 3, 2, 1, 0]);
    assert.equal(body.total, 5);
    const [newest] = body.items;
    assert.deepEqual(newest, {
      id: ids[5],
      object: 'forms.response',
      form_id,
      form_version: 2,
      data: answers[5],
      hidden: {},
      scores: {},
      dropped_fields: [],
      ending_id: null,
      locale: 'ja',
      source: 'page',
      invitation_id: null,
      is_spam: false,
      spam_reasons: [],
      status: 'done',
      assignee_id: client.actor.user_id,
      files: [],
      crm: { status: 'none', contact_id: null, company_id: null, error: null },
      note: null,
      seconds_to_submit: null,
      submitted_at: newest.submitted_at,
      edited_at: null,
      updated_at: newest.updated_at,
    });
  });

  for (const [query, places] of [
    ['is_spam=true', [4]],
    ['is_spam=all', [5, 4, 3, 2, 1, 0]],
    ['is_spam=all&sort=submitted_at:asc', [0, 1, 2, 3, 4, 5]],
    ['order=asc&limit=2&offset=1', [1, 2]],
    ['form_version=1', [0]],
    ['ending_id=thanks', [2]],
    ['source=api', [3]],
    ['status=done', [5]],
    ['status=open&source=page', [2, 1, 0]],
    ['status=done,open', [5, 3, 2, 1, 0]],
    ['status=done,in_progress', [5]],
    ['field=kind&value=new', [3, 0]],
    ['field=kind&value=new&is_spam=all', [4, 3, 0]],
    ['field=kind&value=相談', [2]],
    ['field=kind&value=other', []],
    ['field=several&value=a', [1]],
    ['field=several&value=ほか', [1]],
    ['field=seats&value=12', [0]],
    ['field=agreed&value=true', [1]],
    ['field=who.last_name&value=佐藤', [0]],
    ['field=who&value=last_name', []],
    ['field=grid.speed&value=good', [2]],
    [`field=message&value=${'x'.repeat(300)}`, [3]],
    ['search=見積', [1]],
    ['search=佐藤花子', [0]],
    ['search=相談', [2]],
    ['search=repair', []],
  ] as const) {
    test(`by ${query.slice(0, 40)}`, async () => assert.deepEqual(await listed(query), [...places]));
  }

  test('by times, the first inclusive and the second exclusive', async () => {
    const { body } = await reader.get(`${PATH}?is_spam=all&order=asc`);
    const [, from, , to] = body.items.map(({ submitted_at }: { submitted_at: string }) => submitted_at);
    assert.deepEqual(await listed(`submitted_after=${from}&submitted_before=${to}`), [2, 1]);
    assert.deepEqual(await listed(`created_after=${from}&created_before=${to}`), [2, 1]);
  });

  test('page by page, with and without spam', async () => {
    assert.deepEqual(await listed(`limit=2&starting_after=${ids[3]}`), [2, 1]);
    assert.deepEqual(await listed(`is_spam=all&limit=2&starting_after=${ids[5]}`), [4, 3]);
    assert.deepEqual(await listed(`assignee_id=${client.actor.user_id}&cursor_mode=true`), [5]);
  });
});

describe('422: a filter that means nothing', () => {
  for (const [query, path, code] of [
    ['field=kind', 'value', 'required'],
    ['value=new', 'field', 'required'],
    ['field=nothing&value=new', 'field', 'unknown_field'],
    ['field=grid.none&value=new', 'field', 'unknown_field'],
    ['field=kind.part&value=new', 'field', 'unknown_field'],
    ['field=who.city&value=new', 'field', 'unknown_field'],
  ] as const) {
    test(query, async () => {
      const reply = await reader.get(`${PATH}?${query}`);
      assert.equal(reply.status, 422);
      assert.deepEqual([reply.body.errors[0].path, reply.body.errors[0].code], [path, code]);
    });
  }

  test('but a field of an earlier version is one', async () => {
    assert.deepEqual(await listed('field=vanished&value=new'), []);
  });
});

describe('a single response', () => {
  test('200: is read', async () => {
    const reply = await reader.get(`${PATH}/${ids[2]}`);
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.body.response.data, answers[2]);
  });

  test('200: what staff keep about it changes, and the history names it without the words', async () => {
    const change = { note: '折り返し電話済み', status: 'in_progress', assignee_id: client.actor.user_id };
    const reply = await client.patch(`${PATH}/${ids[1]}`, change);
    assert.equal(reply.status, 200, reply.text);
    const { note, status, assignee_id, data } = reply.body.response;
    assert.deepEqual({ note, status, assignee_id }, change);
    assert.deepEqual(data, answers[1]);
    const { body } = await client.get(`/forms/audit-logs?entity_id=${ids[1]}`);
    assert.deepEqual(body.items[0].changes.note, [null, '***']);
    assert.deepEqual(body.items[0].changes.status, ['open', 'in_progress']);
    const cleared = await client.patch(`${PATH}/${ids[1]}`, { note: null, assignee_id: null });
    assert.equal(cleared.body.response.note, null);
    assert.equal(cleared.body.response.status, 'in_progress');
  });

  test('404: of another form, of another organization, or unknown', async () => {
    const other = await seedForm(app.database, client.actor, [schemaWith(fields)]);
    const stranger = await app.actor();
    assert.equal((await client.get(`/forms/${other.form_id}/responses/${ids[0]}`)).status, 404);
    assert.equal((await stranger.get(`${PATH}/${ids[0]}`)).status, 404);
    assert.equal((await stranger.get(PATH)).status, 404);
    assert.equal(
      (await client.patch(`/forms/${other.form_id}/responses/${ids[0]}`, { note: 'x' })).status,
      404,
    );
  });

  test('422: an assignee who is no member', async () => {
    const stranger = await app.actor();
    const reply = await client.patch(`${PATH}/${ids[0]}`, { assignee_id: stranger.actor.user_id });
    assert.equal(reply.status, 422);
    assert.equal(reply.body.errors[0].path, '/assignee_id');
  });

  test('403: with the right to read alone', async () => {
    assert.equal((await reader.patch(`${PATH}/${ids[0]}`, { note: 'x' })).status, 403);
  });
});
