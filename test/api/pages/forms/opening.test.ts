import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../support/app.ts';
import { formPagesOf } from '../../../support/form-pages.ts';

let now = new Date();
const app = await startApp({ now: () => now });
const { guest, go, open, query, stored } = await formPagesOf(app, (await app.actor()).actor);

const HOUR = 60 * 60_000;

const FILLED = {
  version: 1,
  locale: 'en',
  hidden: ['campaign'],
  pages: [
    {
      id: 'p',
      fields: [
        { id: 'who', type: 'short_text', label: 'Who', required: true },
        { id: 'mail', type: 'email', label: 'Mail' },
        {
          id: 'kind',
          type: 'choice',
          label: 'Kind',
          options: [
            { id: 'a', label: 'A' },
            { id: 'b', label: 'B' },
          ],
        },
        { id: 'seats', type: 'number', label: 'Seats' },
      ],
    },
  ],
  endings: [{ id: 'away', title: 'Thanks', redirect_url: 'https://www.example.co.jp/thanks?from=form' }],
};

test('the address fills in texts, choices and hidden values; what it may not fill in is ignored', async () => {
  const { id, path } = await open(FILLED);
  const page = await guest.get(`${path}?who=%3CHanako%3E&kind=b&seats=5&campaign=spring&nothing=x`);
  assert.match(page.html, /name="f-who"[^>]*value="&#60;Hanako&#62;"/);
  assert.match(page.html, /value="b" checked/);
  assert.doesNotMatch(page.html, /value="5"/);
  const sent = await go(path, page, { 'f-who': '<Hanako>', 'f-kind': 'b' });
  const [response] = await stored(id);
  assert.deepEqual(
    [response!.data, response!.hidden],
    [{ who: '<Hanako>', kind: 'b' }, { campaign: 'spring' }],
  );
  assert.deepEqual(
    [sent.status, sent.headers.get('location')],
    [303, 'https://www.example.co.jp/thanks?from=form'],
  );
  const policy = page.headers.get('content-security-policy')!;
  assert.match(policy, /form-action 'self' https:\/\/www\.example\.co\.jp(;|$)/);
});

test('a form token that has ended is replaced: the form comes anew with what still fits, and is stored once', async () => {
  const { id, path } = await open(FILLED);
  const page = await guest.get(path);
  now = new Date(now.getTime() + 25 * HOUR);
  const anew = await go(path, page, { 'f-who': 'Hanako', 'f-mail': 'no address' });
  assert.equal(anew.status, 422);
  assert.match(anew.html, /The page had expired/);
  assert.match(anew.html, /name="f-who"[^>]*value="Hanako"/);
  assert.doesNotMatch(anew.html, /no address/);
  assert.deepEqual(await stored(id), []);
  for (const _ of [1, 2]) {
    assert.equal((await go(path, anew, { 'f-who': 'Hanako' })).status, 303);
  }
  assert.equal((await stored(id)).length, 1);
});

test('a form that asks for an invitation says so without one, and shows no question', async () => {
  const { id, path } = await open(FILLED);
  await query("UPDATE forms_settings SET access = 'invited' WHERE form_id = $1", [id]);
  const page = await guest.get(`${path}?lang=en`);
  assert.equal(page.status, 200);
  assert.match(page.html, /This form is answered by invitation/);
  assert.doesNotMatch(page.html, /name="f-who"/);
  assert.equal((await guest.get(`${path}?i=${'A'.repeat(43)}`)).status, 404);
});
