import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { visited } from '../../../shared/forms/visits/visited.ts';
import { talliesIn } from '../../../shared/platform/tallies/tallies.ts';
import { startApp } from '../../support/app.ts';
import { visitor } from '../../support/forms.ts';
import { publishedForm, VISIT } from '../../support/forms-made.ts';

const app = await startApp();
const client = await app.actor();
const guest = visitor(app);
const { organization_id } = client.actor;
const { slug: organization } = (await client.get('/organization')).body.organization;
const { tallies } = app.context;

async function open(settings: Record<string, unknown> = {}) {
  const made = await publishedForm(client, {
    schema_json: VISIT,
    settings: { spam: { min_seconds: 0, per_address: 0 }, ...settings },
  });
  const path = `${organization}/${made.slug}`;
  return { id: made.id, api: `/forms/p/${path}`, page: `/f/${path}` };
}

async function visitsOf(form_id: string): Promise<unknown> {
  await tallies.flush();
  const { views, starts, completions, pages } = (await client.get(`/forms/${form_id}/summary`)).body.summary;
  const reached = pages.map(({ id, reached: count }: { id: string; reached: number }) => `${id} ${count}`);
  return { views, starts, completions, reached: reached.join(', ') };
}

describe('who came how far with a form', () => {
  test('is counted of guests by the API, once for a submission that is sent twice', async () => {
    const { id, api } = await open();
    await app.anonymous.get(api);
    await app.anonymous.get(api);
    const { form_token } = (await app.anonymous.post(`${api}/tokens`, {})).body;
    await app.anonymous.post(`${api}/tokens`, {});
    const body = { form_token, data: { kind: 'new', seats: '3' } };
    for (const _ of [1, 2]) assert.equal((await app.anonymous.post(`${api}/responses`, body)).status, 201);
    const wrong = await app.anonymous.post(`${api}/responses`, { ...body, data: {} });
    assert.equal(wrong.status, 409);
    await client.post(`/forms/${id}/responses`, { data: body.data });
    const reached = 'visit 1, fault 0, plan 1';
    assert.deepEqual(await visitsOf(id), { views: 2, starts: 2, completions: 2, reached });
  });

  test('is counted once for each response that is stored, also where many come and are sent twice in one moment', async () => {
    const most = 8;
    const { id, api } = await open({ max_responses: most });
    const tokens = await Promise.all(
      Array.from({ length: most + 4 }, async () => (await app.anonymous.post(`${api}/tokens`, {})).body),
    );
    await Promise.all(
      [...tokens, ...tokens].map(({ form_token }) =>
        app.anonymous.post(`${api}/responses`, { form_token, data: { kind: 'new', seats: '3' } }),
      ),
    );
    const reached = `visit ${most}, fault 0, plan ${most}`;
    const starts = tokens.length;
    assert.deepEqual(await visitsOf(id), { views: 0, starts, completions: most, reached });
  });

  test('is counted on the page, each of its pages once for who goes back and forth', async () => {
    const { id, page } = await open();
    const first = await guest.get(page);
    const riding = ({ html }: { html: string }) =>
      Object.fromEntries(
        [...html.replaceAll(/<template>.*?<\/template>/gs, '').matchAll(HIDDEN)].map(([, name, value]) => [
          name!,
          value!.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))),
        ]),
      );
    const go = (from: { html: string }, answers: Record<string, string>, action = 'next') =>
      guest.send(page, { ...riding(from), ...answers, action });
    const faulty = await go(first, {});
    assert.equal(faulty.status, 422);
    const model = await go(faulty, { 'f-kind': 'repair' });
    const fault = await go(model, { 'f-model': 'X-1' });
    const back = await go(fault, {}, 'back');
    const again = await go(back, { 'f-model': 'X-1' });
    assert.match(again.html, /name="f-since"/);
    const expected = { views: 1, starts: 1, completions: 0, reached: 'visit 1, fault 1, plan 0' };
    assert.deepEqual(await visitsOf(id), expected);
  });

  test('is not counted while the form takes no responses', async () => {
    const { id, api, page } = await open({ closes_at: '2020-01-01T00:00:00Z' });
    await app.anonymous.get(api);
    await guest.get(page);
    assert.equal((await app.anonymous.post(`${api}/tokens`, {})).status, 409);
    const reached = 'visit 0, fault 0, plan 0';
    assert.deepEqual(await visitsOf(id), { views: 0, starts: 0, completions: 0, reached });
  });
});

const HIDDEN = /<input type="hidden" name="([^"]+)" value="([^"]*)"/g;

describe('what a process has counted', () => {
  test('is added to by several at once, and what was removed meanwhile is left out', async () => {
    const { id } = await open();
    const [gone, kept] = [
      { organization_id, id: 'form_gone' },
      { organization_id, id },
    ];
    const processes = Array.from({ length: 5 }, () => talliesIn(app.database, app.context.log));
    for (const each of processes) {
      for (const form of [kept, gone, kept]) {
        visited(each, form, { view: true });
        visited(each, form, { start: true, reached: ['visit', 'plan', 'visit'] });
      }
    }
    await Promise.all(processes.map((each) => each.end()));
    const expected = { views: 10, starts: 10, completions: 0, reached: 'visit 10, fault 0, plan 10' };
    assert.deepEqual(await visitsOf(id), expected);
  });

  test('waits where it cannot be written, and is written once', async () => {
    const { id } = await open();
    let isAway = true;
    const database: typeof app.database = {
      ...app.database,
      withConnection: (...call) =>
        isAway ? Promise.reject(new Error('away')) : app.database.withConnection(...call),
    };
    const own = talliesIn(database, app.context.log);
    visited(own, { organization_id, id }, { view: true });
    await own.flush();
    visited(own, { organization_id, id }, { view: true });
    isAway = false;
    await own.flush();
    await own.end();
    const reached = 'visit 0, fault 0, plan 0';
    assert.deepEqual(await visitsOf(id), { views: 2, starts: 0, completions: 0, reached });
  });
});
