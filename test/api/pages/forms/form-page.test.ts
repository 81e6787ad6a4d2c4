import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../../support/app.ts';
import { formPagesOf } from '../../../support/form-pages.ts';

const app = await startApp();
const { actor } = await app.actor();
const { guest, go, open, query, slug, stored } = await formPagesOf(app, actor);

/** The example of the page about forms: what follows depends on the kind of the visit. */
const VISIT = {
  version: 1,
  locale: 'en',
  title: { en: 'A visit', ja: '訪問' },
  hidden: ['campaign'],
  pages: [
    {
      id: 'visit',
      title: 'Why do you call?',
      fields: [
        {
          id: 'kind',
          type: 'choice',
          label: 'Kind',
          required: true,
          options: [
            { id: 'new', label: 'Something new' },
            { id: 'repair', label: '<b>Repair</b>' },
          ],
        },
        {
          id: 'model',
          type: 'short_text',
          label: 'Model',
          required: true,
          show_if: { field: 'kind', op: 'equals', value: 'repair' },
        },
      ],
      next: [{ if: { field: 'kind', op: 'equals', value: 'new' }, to: 'plan' }],
    },
    { id: 'fault', fields: [{ id: 'since', type: 'date', label: 'Since', required: true }] },
    {
      id: 'plan',
      fields: [
        { id: 'seats', type: 'number', label: 'Seats', required: true, min: 1, max: 500 },
        {
          id: 'budget',
          type: 'number',
          label: 'Budget',
          required_if: { field: 'seats', op: 'gte', value: 100 },
        },
      ],
    },
  ],
  endings: [{ id: 'done', title: 'Thank you, really', body: 'See https://example.jp/next.' }],
};

describe('a form is filled in without a script', () => {
  test('step by step, with faults and the way back, and stored once', async () => {
    const { id, path } = await open(VISIT);
    const first = await guest.get(`${path}?lang=en&campaign=spring&other=x`);
    assert.equal(first.status, 200);
    assert.match(first.html, /<h1>A visit<\/h1>/);
    assert.match(first.html, /&#60;b&#62;Repair/);
    assert.match(first.html, /1 \/ 3/);
    assert.deepEqual(first.headers.getSetCookie(), []);

    for (const riding of ['answers', 'hidden']) {
      const many = JSON.stringify({ kind: Array.from({ length: 21_000 }, () => 0) });
      assert.equal((await go(path, first, { [riding]: many })).status, 413);
    }
    const empty = await go(path, first, {});
    assert.equal(empty.status, 422);
    assert.match(empty.html, /<title>Error: A visit/);
    assert.match(empty.html, /<a href="#f-kind-0">Kind<\/a>/);

    const model = await go(path, empty, { 'f-kind': 'repair' });
    assert.equal(model.status, 200);
    assert.match(model.html, /name="f-model"/);
    const back = await go(path, model, { 'f-model': 'X-1' }, 'back');
    assert.match(back.html, /value="repair" checked/);
    const again = await go(path, back, { 'f-kind': 'repair' });
    assert.match(again.html, /name="f-model"[^>]*value="X-1"/);

    const since = await go(path, again, { 'f-model': 'X-1' });
    assert.match(since.html, /2 \/ 3/);
    const wrong = await go(path, since, { 'f-since': '2026-04-31' });
    assert.equal(wrong.status, 422);
    assert.match(wrong.html, /value="2026-04-31"/);
    const seats = await go(path, wrong, { 'f-since': '2026-04-30' });
    const budget = await go(path, seats, { 'f-seats': '１００' });
    assert.equal(budget.status, 200);
    const needed = await go(path, budget, { 'f-budget': '' });
    assert.equal(needed.status, 422);
    const sent = await go(path, needed, { 'f-budget': '1000' });
    assert.equal(sent.status, 303);
    const receipt = await guest.get(sent.headers.get('location')!);
    assert.match(receipt.html, /Thank you, really/);
    assert.match(receipt.html, /<a href="https:\/\/example\.jp\/next"/);
    assert.equal(receipt.headers.get('x-robots-tag'), 'noindex');

    const data = { kind: 'repair', model: 'X-1', since: '2026-04-30', seats: '100', budget: '1000' };
    const expected = { data, hidden: { campaign: 'spring' }, source: 'page', is_spam: false };
    const responses = (await stored(id)).map(({ id: _, ...response }) => response);
    assert.deepEqual(responses, [expected]);

    const twice = await go(path, needed, { 'f-budget': '1000' });
    assert.equal(twice.headers.get('location'), sent.headers.get('location'));
    const other = await go(path, needed, { 'f-budget': '2000' });
    assert.equal(other.status, 409);
    const before = sent.headers.get('location')!.replace('=', '&#61;');
    assert.ok(other.html.includes(`href="${before}"`));
    assert.equal((await stored(id)).length, 1);
  });

  test('in the language of the schema where the browser has none of ours', async () => {
    const { path } = await open({ ...VISIT, locale: 'ja' });
    assert.match((await guest.get(path, { 'Accept-Language': 'fr' })).html, /<html lang="ja">[\s\S]*訪問/);
    assert.match((await guest.get(path, { 'Accept-Language': 'en' })).html, /<html lang="en">/);
  });

  test('with what a robot fills in flagged', async () => {
    const { id, path } = await open({
      version: 1,
      locale: 'en',
      pages: [{ id: 'p', fields: [{ id: 't', type: 'short_text', label: 'T' }] }],
    });
    const page = await guest.get(path);
    const [, trap] = /<input type="text" id="(more-[0-9a-f]+)"/.exec(page.html)!;
    const sent = await go(path, page, { 'f-t': 'x', [trap!]: 'x' });
    assert.equal(sent.status, 303);
    assert.equal((await stored(id))[0]!.is_spam, true);
  });
});

describe('an empty form', () => {
  test('tells nobody what another one entered or was given, and speaks the language of each', async () => {
    const { path } = await open(VISIT);
    const marked = async (search: string) =>
      ((await guest.get(path + search)).html.match(/\bchecked\b/g) ?? []).length;
    assert.equal(await marked('?lang=en'), 0);
    assert.equal(await marked('?lang=en&kind=repair'), 1);
    assert.equal(await marked('?lang=en&campaign=spring'), 0);
    const next = await guest.get(`${path}?lang=en`);
    assert.doesNotMatch(next.html, /\bchecked\b|spring|必須/);
    assert.match((await guest.get(`${path}?lang=ja`)).html, /必須/);
    const faulty = await go(`${path}?lang=en`, next, {});
    assert.equal(faulty.status, 422);
    assert.match(faulty.html, /aria-invalid/);
    assert.doesNotMatch((await guest.get(`${path}?lang=en`)).html, /aria-invalid/);
  });

  test('is that of the version which is published now', async () => {
    const { id, path } = await open(VISIT);
    assert.match((await guest.get(path)).html, /Something new/);
    await query(
      `INSERT INTO forms_versions (organization_id, form_id, number, id, title, schema_json, sha256, published_at)
       SELECT organization_id, form_id, 2, id || '2', title, replace(schema_json, 'Something new', 'Something else'), sha256 || '2',
           now()
         FROM forms_versions WHERE form_id = $1`,
      [id],
    );
    await query('UPDATE forms_forms SET published_version = 2 WHERE id = $1', [id]);
    assert.match((await guest.get(path)).html, /Something else/);
  });
});

describe('who may show a form, and what it may load', () => {
  test('stands in its policy', async () => {
    const { path } = await open(VISIT, { embed_origins: ['https://www.example.co.jp'] });
    const policy = (await guest.get(path)).headers.get('content-security-policy')!;
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'self'(;|$)/);
    assert.match(policy, /frame-ancestors https:\/\/www\.example\.co\.jp(;|$)/);
    assert.match(policy, /form-action 'self'(;|$)/);
  });

  test('scripts are served, the replay as the server runs it', async () => {
    for (const name of ['page', 'answers', 'proof', 'replay']) {
      const script = await guest.get(`/f/${name}.js`);
      assert.equal(script.status, 200);
      assert.match(script.headers.get('content-type')!, /javascript/);
    }
    assert.match((await guest.get('/f/replay.js')).html, /export function replay\(/);
  });
});

describe('a form that cannot be filled in', () => {
  test('says why', async () => {
    const { id, path } = await open(VISIT);
    await query("UPDATE forms_forms SET status = 'archived', archived_at = now() WHERE id = $1", [id]);
    const page = await guest.get(`${path}?lang=en`);
    assert.equal(page.status, 200);
    assert.match(page.html, /This form is closed/);
  });

  test('is 404 where there is none', async () => {
    assert.equal((await guest.get(`/f/${slug}/none-here`)).status, 404);
  });
});
