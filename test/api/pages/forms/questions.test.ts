import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../../support/app.ts';
import { formPagesOf, shownIn } from '../../../support/form-pages.ts';

/** How questions stand on a page, for who reads, hears or lets a browser fill them in. */
const app = await startApp();
const owner = await app.actor();
const { guest, go, open, query } = await formPagesOf(app, owner.actor);

const options = ['a', 'b', 'c'].map((id) => ({ id, label: `選択肢${id}` }));
const PERSON = {
  version: 1,
  locale: 'ja',
  pages: [
    {
      id: 'person',
      fields: [
        { id: 'who', type: 'name', label: 'お名前', kana: true, required: true },
        { id: 'mail', type: 'email', label: 'メール', required: true },
        { id: 'phone', type: 'phone', label: '電話' },
        { id: 'home', type: 'address', label: '住所' },
      ],
    },
    {
      id: 'wishes',
      fields: [
        { id: 'order', type: 'ranking', label: '順位', options },
        { id: 'grid', type: 'matrix', label: '評価', rows: options, columns: options },
        { id: 'kind', type: 'choice', label: '種類', options },
      ],
    },
    { id: 'last', fields: [{ id: 'text', type: 'long_text', label: '内容' }] },
  ],
};
const WHO = {
  'f-who.last_name': '山田',
  'f-who.first_name': '花子',
  'f-who.last_name_kana': 'ヤマダ',
  'f-who.first_name_kana': 'ハナコ',
  'f-mail': 'hanako@example.co.jp',
};

/** The tags of inputs by their names. */
const inputsIn = (html: string) =>
  new Map(
    [...shownIn(html).matchAll(/<(?:input|select|textarea)\b[^>]*\bname="([^"]+)"[^>]*>/g)].map(
      ([tag, name]) => [name!, tag],
    ),
  );

describe('the questions of a form', () => {
  test('tell browsers what they ask of a person, and people what is needed, in words', async () => {
    const { path } = await open(PERSON);
    const page = await guest.get(path);
    const inputs = inputsIn(page.html);
    const filled = [...inputs].map(([name, tag]) => [name, /autocomplete="([^"]+)"/.exec(tag!)?.[1]]);
    assert.deepEqual(Object.fromEntries(filled.filter(([name]) => name!.startsWith('f-'))), {
      'f-who.last_name': 'family-name',
      'f-who.first_name': 'given-name',
      'f-who.last_name_kana': 'off',
      'f-who.first_name_kana': 'off',
      'f-mail': 'email',
      'f-phone': 'tel',
      'f-home.postal_code': 'postal-code',
      'f-home.prefecture': 'address-level1',
      'f-home.city': 'address-level2',
      'f-home.address_line': 'address-line1',
      'f-home.building': 'address-line2',
    });
    assert.match(page.html, /<legend>お名前 <span[^>]*>必須<\/span><\/legend>/);
    assert.match(page.html, /<label for="f-mail">メール <span[^>]*>必須<\/span><\/label>/);
    assert.match(
      page.html,
      /<label for="f-phone">電話 <span[^>]*hidden[^>]*>必須<\/span><\/label>|<label for="f-phone">電話\s*<\/label>/,
    );
    const english = await guest.get(`${path}?lang=en`);
    assert.match(english.html, /<label for="f-mail">メール <span[^>]*>Required<\/span><\/label>/);
    assert.deepEqual(page.headers.getSetCookie(), []);
  });

  test('say how far one has come; rankings are selects, matrices tables with heads', async () => {
    const { path } = await open(PERSON);
    const first = await guest.get(path);
    assert.match(first.html, /ページ 1 \/ 3</);
    const second = await go(path, first, WHO);
    const shown = shownIn(second.html);
    assert.match(shown, /ページ 2 \/ 3</);
    const inputs = inputsIn(shown);
    for (const place of [0, 1, 2]) assert.match(inputs.get(`f-order.${place}`)!, /^<select/);
    assert.deepEqual(
      [...shown.matchAll(/<th scope="(\w+)"/g)].map(([, scope]) => scope),
      ['col', 'col', 'col', 'row', 'row', 'row'],
    );
    assert.match(shown, /<fieldset[^>]*>\s*<legend>種類/);
    assert.deepEqual(second.headers.getSetCookie(), []);
  });
});

test('to read a form, or to ask whether it is there, changes nothing but the count of its views', async () => {
  const { id, path } = await open(PERSON);
  const before = await everything();
  for (const method of ['GET', 'HEAD']) {
    const { status } = await fetch(app.base_url + path, { method });
    assert.equal(status, 200, method);
  }
  assert.deepEqual(await everything(), before);

  /** What there is of forms, but their visits. */
  async function everything() {
    const [row] = await query<object>(
      `SELECT (SELECT json_agg(form) FROM forms_forms AS form WHERE id = $1) AS form,
              (SELECT count(*) FROM forms_responses) AS responses, (SELECT count(*) FROM forms_partials) AS partials,
              (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM audit_logs) AS entries,
              (SELECT count(*) FROM links) AS links`,
      [id],
    );
    return row;
  }
});
