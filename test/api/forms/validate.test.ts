import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../../shared/forms/cases/visit.ts';
import { startApp } from '../../support/app.ts';
import { storedForm } from '../../support/stored-responses.ts';

const app = await startApp();

async function formOf(schema: object) {
  const client = await app.actor();
  const where = { database: app.database, organization_id: client.actor.organization_id };
  const path = `/forms/${await storedForm(where, { schema })}/validate`;
  return { client, path };
}

type Verdict = { valid: boolean; errors: { path: string; code: string }[] };

const told = ({ errors }: Verdict) => errors.map(({ path, code }) => `${path} ${code}`);

test('answers are judged by the working copy or by a version, and nothing is stored', async () => {
  const { client, path } = await formOf(visit);
  const good = await client.post(path, {
    data: { kind: 'new', model: 'X-1', since: '2026-04-31', seats: 3 },
  });
  deepEqual(good.body, {
    valid: true,
    errors: [],
    visible_fields: ['kind', 'seats', 'budget'],
    dropped_fields: ['model', 'since'],
    ending_id: null,
    scores: {},
  });
  const wrong = await client.post(path, { data: { kind: 'new', seats: 100 }, version: 1 });
  equal(wrong.status, 200);
  deepEqual(told(wrong.body), ['/data/budget required']);
  equal((await client.post(path, { data: {}, version: 2 })).status, 422);
  equal((await client.post(path, { data: {}, version: 2_147_483_648 })).status, 422);
});

test('a schema is judged as publishing does; a field keeps the type of its earlier versions', async () => {
  const { client, path } = await formOf(visit);
  const valid = await client.post(path, { schema_json: JSON.stringify(visit) });
  equal(valid.body.valid, true);
  const [page, ...others] = visit.pages;
  const changed = { ...page, fields: [{ ...page!.fields[0], type: 'dropdown' }] };
  const { body } = await client.post(path, {
    schema_json: JSON.stringify({ ...visit, pages: [changed, ...others] }),
  });
  deepEqual(told(body), ['/schema_json#/pages/0/fields/0/type type_changed']);
  deepEqual(told((await client.post(path, { schema_json: '{' })).body), ['/schema_json invalid_json']);
});

test('a working copy that cannot be published judges no answers', async () => {
  const { client, path } = await formOf({ version: 1, locale: 'ja', pages: [{ id: 'page_1', fields: [] }] });
  deepEqual(told((await client.post(path, { data: {} })).body), ['/schema_json#/pages no_fields']);
});

test('one of both is judged, of a form of the organization', async () => {
  const { client, path } = await formOf(visit);
  equal((await client.post(path, {})).status, 422);
  equal((await client.post(path, { schema_json: '{}', data: {} })).status, 422);
  equal((await (await app.actor()).post(path, { data: {} })).status, 404);
});
