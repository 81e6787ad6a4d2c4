import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../../support/app.ts';
import { formPagesOf } from '../../../support/form-pages.ts';
import { publishedForm, schemaOf } from '../../../support/forms-made.ts';

const app = await startApp();
const owner = await app.actor();
const { guest, go, goWithFiles, open, query, slug, stored } = await formPagesOf(app, owner.actor);

const PAPERS = {
  version: 1,
  locale: 'en',
  pages: [
    {
      id: 'p',
      fields: [
        { id: 'who', type: 'short_text', label: 'Who', required: true },
        { id: 'papers', type: 'file', label: 'Papers', required: true, max_files: 2, accept: ['txt', 'pdf'] },
      ],
    },
  ],
};

const filesOf = (response_id: string) =>
  query<{ id: string; file_name: string }>(
    'SELECT id, file_name FROM forms_files WHERE response_id = $1 ORDER BY file_name',
    [response_id],
  );

describe('a form with files', () => {
  test('takes them through its page: what was refused is told at its field, and the others stay', async () => {
    const { id, path } = await open(PAPERS);
    const first = await guest.get(path);
    const refused = await goWithFiles(path, first, {}, { 'f-papers': { name: 'a.txt', text: 'one' } });
    assert.equal(refused.status, 422);
    assert.match(refused.html, /Attach a\.txt/);
    const [, kept] = /name="f-papers-kept" value="(ffile_\w+)"/.exec(refused.html)!;
    const program = { name: 'b.pdf', text: 'MZ\u0000\u0001' };
    const answers = { 'f-who': 'Hanako', 'f-papers-kept': kept! };
    const wrong = await goWithFiles(path, refused, answers, { 'f-papers': program });
    assert.equal(wrong.status, 422);
    assert.match(wrong.html, /Files of this kind are not taken/);
    const sent = await go(path, wrong, answers);
    assert.equal(sent.status, 303, sent.html);
    const [response] = await stored(id);
    assert.deepEqual(response!.data, { who: 'Hanako', papers: [kept] });
    assert.deepEqual(await filesOf(response!.id), [{ id: kept, file_name: 'a.txt' }]);
  });

  test('leads to its receipt where it is sent again, and to what was sent with other answers', async () => {
    const { id, path } = await open(PAPERS);
    const files = { 'f-papers': { name: 'a.txt', text: 'one' } };
    const kept = await goWithFiles(path, await guest.get(path), {}, files);
    const [, file_id] = /name="f-papers-kept" value="(ffile_\w+)"/.exec(kept.html)!;
    const answers = { 'f-who': 'Hanako', 'f-papers-kept': file_id! };
    const first = await go(path, kept, answers);
    assert.equal(first.status, 303, first.html);
    const again = await go(path, kept, answers);
    assert.deepEqual([again.status, again.headers.get('location')], [303, first.headers.get('location')]);
    const other = await go(path, kept, { ...answers, 'f-who': 'Taro' });
    assert.equal(other.status, 409);
    assert.ok(other.html.includes(first.headers.get('location')!), other.html);
    assert.equal((await stored(id)).length, 1);
  });

  test('takes none where it has closed since the page was opened', async () => {
    const { id, path } = await open(PAPERS);
    const page = await guest.get(path);
    await query("UPDATE forms_settings SET closes_at = now() - interval '1 minute' WHERE form_id = $1", [id]);
    const files = { 'f-papers': { name: 'a.txt', text: 'one' } };
    const late = await goWithFiles(path, page, { 'f-who': 'Hanako' }, files);
    assert.equal(late.status, 409);
    assert.match(late.html, /role="alert">This form is closed\./);
    assert.deepEqual(await query('SELECT id FROM forms_files WHERE form_id = $1', [id]), []);
  });

  test('is changed by its receipt, with files left out and added, until the hours are over', async () => {
    const { id, path } = await open(PAPERS, { allow_edit_hours: 1 });
    const answers = { 'f-who': 'Hanako' };
    const sent = await goWithFiles(path, await guest.get(path), answers, {
      'f-papers': { name: 'a.txt', text: 'one' },
    });
    const receipt = sent.headers.get('location')!;
    assert.match((await guest.get(receipt)).html, /<dd class="lines">a\.txt<\/dd>/);
    const editing = await guest.get(`${receipt}?edit=1`);
    assert.match(editing.html, /value="Hanako"/);
    const changed = await goWithFiles(
      `${receipt}?edit=1`,
      editing,
      { 'f-who': 'Taro' },
      { 'f-papers': { name: 'b.txt', text: 'two' } },
    );
    assert.equal(changed.status, 303, changed.html);
    const shown = await guest.get(changed.headers.get('location')!);
    assert.match(shown.html, /Taro[\s\S]*b\.txt/);
    const [response] = await stored(id);
    assert.deepEqual(
      (await filesOf(response!.id)).map(({ file_name }) => file_name),
      ['b.txt'],
    );
    const empty = await go(`${receipt}?edit=1`, editing, { 'f-who': '' });
    assert.equal(empty.status, 422);

    await query("UPDATE forms_responses SET submitted_at = now() - interval '2 hours' WHERE form_id = $1", [
      id,
    ]);
    const late = await goWithFiles(
      `${receipt}?edit=1`,
      editing,
      { 'f-who': 'Jiro' },
      { 'f-papers': { name: 'c.txt', text: 'three' } },
    );
    assert.equal(late.status, 404);
    assert.doesNotMatch((await guest.get(receipt)).html, /Taro/);
    assert.equal((await stored(id))[0]!.data['who'], 'Taro');
  });
});

describe('a preview', () => {
  test('shows the working copy, a file that must be there included, and stores nothing', async () => {
    const { id } = await publishedForm(owner);
    const schema_json = JSON.stringify({ ...PAPERS, endings: [{ id: 'done', title: 'All done' }] });
    assert.equal((await owner.patch(`/forms/${id}`, { schema_json })).status, 200);
    const { url } = (await owner.post(`/forms/${id}/preview-link`)).body;
    const { pathname } = new URL(url);
    const first = await guest.get(pathname);
    assert.equal(first.headers.get('x-robots-tag'), 'noindex');
    const empty = await go(pathname, first, { 'f-who': 'x' });
    assert.equal(empty.status, 422);
    const file = { 'f-papers': { name: '見積.pdf', text: 'anything' } };
    const wrong = await goWithFiles(pathname, empty, {}, file);
    assert.equal(wrong.status, 422);
    const [, kept] = /name="f-papers-kept" value="(ffile_[\w-]+)"/.exec(wrong.html)!;
    const sent = await go(pathname, wrong, { 'f-who': 'x', 'f-papers-kept': kept! });
    assert.equal(sent.status, 200);
    assert.match(sent.html, /All done/);
    assert.deepEqual(await stored(id), []);
    assert.deepEqual(await query('SELECT id FROM forms_files WHERE form_id = $1', [id]), []);
  });
});

describe('the address of a form', () => {
  test('leads on from a former slug, with what it fills in', async () => {
    const schema_json = schemaOf([{ fields: [{ id: 'who', type: 'short_text', label: 'Who' }] }]);
    const { id, slug: former } = await publishedForm(owner, { schema_json });
    assert.equal((await owner.patch(`/forms/${id}`, { slug: 'newer-one' })).status, 200);
    const moved = await guest.get(`/f/${slug}/${former}?lang=en&who=Hanako`);
    const to = `/f/${slug}/newer-one?lang=en&who=Hanako`;
    assert.deepEqual([moved.status, moved.headers.get('location')], [308, to]);
    assert.equal(moved.headers.get('cache-control'), 'no-store');
    assert.match((await guest.get(to)).html, /name="f-who"[^>]*value="Hanako"/);
  });
});
