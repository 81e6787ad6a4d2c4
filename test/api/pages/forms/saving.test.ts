import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../../support/app.ts';
import { formPagesOf } from '../../../support/form-pages.ts';
import { publishedForm, schemaOf } from '../../../support/forms-made.ts';

let now = new Date();
const app = await startApp({ now: () => now });
const owner = await app.actor();
const { guest, go, goWithFiles, open, query, slug, stored } = await formPagesOf(app, owner.actor);

const DAY = 24 * 60 * 60_000;

const PAGES = [
  {
    id: 'who',
    fields: [
      { id: 'name', type: 'short_text', label: 'Name', required: true },
      { id: 'area', type: 'short_text', label: 'Area', default: 'Tokyo' },
    ],
  },
  {
    id: 'what',
    fields: [
      { id: 'seats', type: 'number', label: 'Seats', required: true },
      { id: 'papers', type: 'file', label: 'Papers', accept: ['txt'] },
    ],
  },
  { id: 'end', fields: [{ id: 'remark', type: 'short_text', label: 'Remark' }] },
];
const APPLICATION = { version: 1, locale: 'en', hidden: ['campaign'], pages: PAGES };

const save = (path: string, page: Awaited<ReturnType<typeof guest.get>>, answers: Record<string, string>) =>
  go(path, page, answers, 'save');

/** The page that a saved form leads to, and the path of the link that it tells. */
async function told(saved: { status: number; headers: Headers; html: string }) {
  assert.equal(saved.status, 303, saved.html);
  const location = saved.headers.get('location')!;
  assert.match(location, /^\/f\/s\/[^?]+\?(?:lang=\w\w&)?saved=1$/);
  const page = await guest.get(location);
  assert.equal(page.status, 200);
  return { page, link: location.split('?')[0]! };
}

describe('a form that is saved to go on later', () => {
  test('tells a link with its end, which leads back to the step, unjudged, and ends with the submission', async () => {
    const { id, path } = await open(APPLICATION, { resume_days: 2 });
    const first = await guest.get(`${path}?lang=en&campaign=spring`);
    assert.match(first.html, /value="save"[^>]*>Save and continue later</);
    const second = await go(path, first, { 'f-name': 'Hanako', 'f-area': '' });
    const { page, link } = await told(await save(path, second, { 'f-seats': 'many' }));
    assert.equal(page.headers.get('x-robots-tag'), 'noindex');
    assert.deepEqual(page.headers.getSetCookie(), []);
    assert.ok(page.html.includes(`${app.base_url}${link}?lang&#61;en</a>`), page.html);
    const end = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Asia/Tokyo' });
    assert.ok(page.html.includes(end.format(new Date(now.getTime() + 2 * DAY))), page.html);
    assert.deepEqual(await stored(id), []);

    const resumed = await guest.get(link);
    assert.match(resumed.html, /2 \/ 3/);
    assert.match(resumed.html, /name="f-seats"[^>]*value="many"/);
    assert.doesNotMatch(resumed.html, /class="fault/);
    const wrong = await go(path, resumed, { 'f-seats': 'many' });
    assert.equal(wrong.status, 422);
    const back = await go(path, wrong, { 'f-seats': '3' }, 'back');
    assert.match(back.html, /name="f-name"[^>]*value="Hanako"/);
    assert.match(
      back.html,
      /name="f-area"[^>]*value=""/,
      'what was left empty does not get its default again',
    );

    const again = await told(await save(path, back, { 'f-name': 'Hanako', 'f-area': 'Kyoto' }));
    assert.equal(again.link, link, 'it keeps its link');
    const on = await guest.get(link);
    assert.match(on.html, /name="f-seats"[^>]*value="3"/);
    const last = await go(path, on, { 'f-seats': '3' });
    const sent = await go(path, last, { 'f-remark': '' });
    assert.equal(sent.status, 303, sent.html);
    const data = { name: 'Hanako', area: 'Kyoto', seats: '3' };
    const responses = (await stored(id)).map(({ data, hidden }) => ({ data, hidden }));
    assert.deepEqual(responses, [{ data, hidden: { campaign: 'spring' } }]);
    for (const address of [link, `${link}?saved=1`]) {
      const ended = await guest.get(address, { 'Accept-Language': 'en' });
      assert.equal(ended.status, 404);
      assert.match(ended.html, /The link is too old, or the form has been sent/);
    }
  });

  test('goes on where it stopped when its form token has ended, with its files, until its days are over', async () => {
    const { id, path } = await open(APPLICATION, { resume_days: 3 });
    const second = await go(path, await guest.get(path), { 'f-name': 'Hanako' });
    const upload = { 'f-papers': { name: 'a.txt', text: 'one' } };
    const { link } = await told(await goWithFiles(path, second, { 'f-seats': '' }, upload, 'save'));
    now = new Date(now.getTime() + 2 * DAY);
    const resumed = await guest.get(link);
    const [, kept] = /name="f-papers-kept" value="(ffile_\w+)"/.exec(resumed.html)!;
    const last = await go(path, resumed, { 'f-seats': '5', 'f-papers-kept': kept! });
    assert.equal(last.status, 200, last.html);
    // Saved once more, it lasts as long from now.
    await told(await save(path, last, { 'f-remark': '' }));
    now = new Date(now.getTime() + 2 * DAY);
    const on = await guest.get(link);
    assert.match(on.html, /name="f-remark"/);
    for (const _ of [1, 2]) assert.equal((await go(path, on, { 'f-remark': 'now' })).status, 303);
    const answers = (await stored(id)).map(({ data }) => data);
    assert.deepEqual(answers, [{ name: 'Hanako', seats: '5', papers: [kept], remark: 'now' }]);

    const other = await told(await save(path, await guest.get(path), { 'f-name': 'Taro' }));
    now = new Date(now.getTime() + 3 * DAY);
    assert.equal((await guest.get(other.link)).status, 404);
  });

  test('gets a new link where its own has ended meanwhile', async () => {
    const { path } = await open(APPLICATION);
    const { link } = await told(await save(path, await guest.get(path), { 'f-name': 'Hanako' }));
    const resumed = await guest.get(link);
    const token = link.split('/').at(-1)!;
    assert.equal((await app.anonymous.delete(`/forms/partials/${token}`)).status, 200);
    const anew = await told(await save(path, resumed, { 'f-name': 'Hanako' }));
    assert.notEqual(anew.link, link);
    assert.match((await guest.get(anew.link)).html, /name="f-name"[^>]*value="Hanako"/);
  });

  test('comes anew in the present version, with what still fits', async () => {
    const options = (...ids: string[]) => ids.map((each) => ({ id: each, label: each }));
    const field = (...ids: string[]) => ({
      id: 'kind',
      type: 'choice',
      label: 'Kind',
      options: options(...ids),
    });
    const text = (id: string) => ({ id, type: 'short_text', label: id });
    const made = await publishedForm(owner, {
      schema_json: schemaOf([{ fields: [text('name'), text('gone'), field('a', 'b')] }]),
      settings: { spam: { min_seconds: 0 } },
    });
    const path = `/f/${slug}/${made.slug}`;
    const first = await guest.get(path);
    const answers = { 'f-name': 'Hanako', 'f-gone': 'x', 'f-kind': 'b' };
    const { link } = await told(await save(path, first, answers));
    const schema_json = schemaOf([{ fields: [text('name'), field('a', 'c')] }]);
    assert.equal((await owner.patch(`/forms/${made.id}`, { schema_json })).status, 200);
    assert.equal((await owner.post(`/forms/${made.id}/publish`)).status, 200);
    const resumed = await guest.get(`${link}?lang=en`);
    assert.equal(resumed.status, 200);
    assert.match(resumed.html, /The form has changed since you saved it/);
    assert.match(resumed.html, /name="f-name"[^>]*value="Hanako"/);
    const sent = await go(path, resumed, { 'f-name': 'Hanako', 'f-kind': 'c' });
    assert.equal(sent.status, 303, sent.html);
    const kept = await query('SELECT form_version, data FROM forms_responses WHERE form_id = $1', [made.id]);
    assert.deepEqual(kept, [{ form_version: 2, data: { name: 'Hanako', kind: 'c' } }]);
    assert.equal((await guest.get(link)).status, 404);
  });

  test('keeps the step with the fault of a file that is refused', async () => {
    const { path } = await open(APPLICATION);
    const second = await go(path, await guest.get(path), { 'f-name': 'Hanako' });
    const program = { 'f-papers': { name: 'a.txt', text: 'MZ\u0000\u0001' } };
    const refused = await goWithFiles(path, second, { 'f-seats': '' }, program, 'save');
    assert.equal(refused.status, 422);
    assert.match(refused.html, /Files of this kind are not taken/);
    assert.doesNotMatch(refused.html, /id="f-seats-fault"/);
  });

  test('is not told where the form has closed since', async () => {
    const { id, path } = await open(APPLICATION);
    const { link } = await told(await save(path, await guest.get(path), { 'f-name': 'Hanako' }));
    await query("UPDATE forms_settings SET closes_at = now() - interval '1 hour' WHERE form_id = $1", [id]);
    assert.match((await guest.get(`${link}?lang=en`)).html, /This form is closed/);
  });
});

test('a form that saves nothing offers nothing, and refuses who asks all the same', async () => {
  const { path } = await open(APPLICATION, { resume_days: 0 });
  const first = await guest.get(path);
  assert.doesNotMatch(first.html, /value="save"/);
  const refused = await save(path, first, { 'f-name': 'Hanako' });
  assert.equal(refused.status, 409);
  assert.match(refused.html, /cannot be saved before it is sent/);
  assert.match(refused.html, /name="f-name"[^>]*value="Hanako"/);
});
