import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { renderLetter } from '../../../shared/platform/mailer/letter.ts';
import { startApp } from '../../support/app.ts';
import { faultsIn } from '../../support/facts.ts';
import { publishedForm } from '../../support/forms-made.ts';
import { lettersAbout } from '../../support/letters.ts';
import { openForm } from '../../support/open-forms.ts';

let now = new Date('2026-11-21T00:00:00.000Z');
const app = await startApp({ now: () => now, environment: { RATE_LIMIT_PER_MINUTE: '0' } });
const client = await app.actor();
const guest = app.anonymous;

const fields = [{ id: 'text', type: 'short_text', label: '内容', required: true }];

async function invited(recipients: object[], more: object = {}) {
  const { form_id, path } = await openForm(app.database, client.actor, fields, {
    settings: { access: 'invited' },
  });
  const reply = await client.post(`/forms/${form_id}/invitations`, { recipients, ...more });
  assert.equal(reply.status, 201, reply.text);
  const made: { id: string; url: string; delivery: string; email: string }[] = reply.body.invitations;
  const listed = async () => (await client.get(`/forms/${form_id}/invitations?limit=200`)).body.items;
  return { form_id, path, made, listed };
}

const tokenIn = (url: string) => new URL(url).searchParams.get('i')!;

async function submit(path: string, invitation: string, text = 'はい') {
  const token = await guest.post(`${path}/tokens`, { invitation });
  if (token.status !== 201) return token;
  return guest.post(`${path}/responses`, { form_token: token.body.form_token, data: { text } });
}

describe('invitations', () => {
  test('each takes one response, of many at the same time; without one, or with a wrong one, it is 404', async () => {
    const { form_id, path, made, listed } = await invited([
      { email: 'Hanako@example.co.jp', name: '山田 花子' },
      { email: 'taro@example.co.jp' },
    ]);
    const [hanako, taro] = made;
    const without = await guest.post(`${path}/tokens`, {});
    assert.equal(without.status, 404);
    assert.match(without.body.detail, /by invitation/);
    const { form } = (await guest.get(path)).body;
    assert.deepEqual([form.schema, form.accepting], [null, { open: false, reason: 'not_invited' }]);
    const { form: shown } = (await guest.get(`${path}?invitation=${tokenIn(hanako!.url)}`)).body;
    assert.deepEqual([shown.schema.locale, shown.accepting.open], ['ja', true]);
    assert.equal((await guest.post(`${path}/tokens`, { invitation: 'x'.repeat(43) })).status, 404);
    const invitation = tokenIn(hanako!.url);
    const tokens = await Promise.all(
      Array.from({ length: 20 }, () => guest.post(`${path}/tokens`, { invitation })),
    );
    const replies = await Promise.all(
      tokens.map(({ body: { form_token } }) =>
        guest.post(`${path}/responses`, { form_token, data: { text: 'はい' } }),
      ),
    );
    const stored = replies.filter(({ status }) => status === 201);
    assert.equal(stored.length, 1);
    for (const { status, body } of replies) {
      if (status !== 201) assert.deepEqual([status, body.code], [409, 'already_answered']);
    }
    const [own, other] = [hanako, taro].map((one) => one!.id);
    const answers = new Map(
      (await listed()).map((one: { id: string; response_id: string }) => [one.id, one.response_id]),
    );
    assert.deepEqual([answers.get(own), answers.get(other)], [stored[0]!.body.response.id, null]);
    const { response } = (await client.get(`/forms/${form_id}/responses/${answers.get(own)}`)).body;
    assert.equal(response.invitation_id, own);
  });

  test('a thousand are made by one call, each with its own address, and the list never shows one', async () => {
    const recipients = Array.from({ length: 1_000 }, (_, n) => ({ email: `g${n}@example.co.jp` }));
    const { made, listed, path } = await invited(recipients);
    assert.equal((await submit(path, tokenIn(made.at(-1)!.url))).status, 201);
    assert.equal(new Set(made.map(({ url }) => url)).size, 1_000);
    assert.deepEqual([made[7]!.email, made[7]!.delivery], ['g7@example.co.jp', 'none']);
    const items = await listed();
    assert.equal(items.length, 200);
    assert.ok(!JSON.stringify(items).includes('?i='));
  });

  test('the mail carries the same address, and the list tells how far it came', async () => {
    const { made, listed } = await invited([{ email: 'hanako@example.co.jp', name: '山田 花子' }], {
      send: true,
    });
    const { id, url } = made[0]!;
    const [letter] = await lettersAbout(app, 'forms.invitation', id);
    assert.deepEqual(letter!.to, [{ address: 'hanako@example.co.jp', name: '山田 花子' }]);
    assert.ok(renderLetter(letter!).text.includes(tokenIn(url)));
    assert.equal(new URL(letter!.action!.url).pathname, new URL(url).pathname);
    assert.equal((await listed())[0].delivery, 'queued');
    await app.database.withConnection('*', ({ query }) =>
      query(
        "UPDATE mails SET status = 'failed', error = 'no such user' WHERE about ->> 'invitation_id' = $1",
        [id],
      ),
    );
    assert.equal((await listed())[0].delivery, 'failed');
  });

  test('taken back, past its end or of an archived form it is 404, and its mail leaves no more', async () => {
    const expires_at = '2026-11-22T00:00:00.000Z';
    const { form_id, path, made, listed } = await invited(
      [{ email: 'a@example.co.jp' }, { email: 'b@example.co.jp' }],
      { send: true, expires_at },
    );
    const [first, second] = made.map(({ id, url }) => ({ id, token: tokenIn(url) }));
    assert.equal((await client.delete(`/forms/${form_id}/invitations/${first!.id}`)).status, 200);
    assert.equal((await client.delete(`/forms/${form_id}/invitations/${first!.id}`)).status, 404);
    assert.equal((await submit(path, first!.token)).status, 404);
    assert.deepEqual(await lettersAbout(app, 'forms.invitation', first!.id), []);
    assert.equal((await guest.get(`${path}?invitation=${second!.token}`)).status, 200);
    now = new Date(expires_at);
    assert.equal((await submit(path, second!.token)).status, 404);
    const archived = await invited([{ email: 'c@example.co.jp' }]);
    assert.equal((await client.post(`/forms/${archived.form_id}/archive`)).status, 200);
    assert.notEqual((await archived.listed())[0].revoked_at, null);
    assert.equal((await listed()).length, 2);
  });

  test('409 for a draft and an archived form, 422 for an end that has passed and for nobody', async () => {
    const draft = (await client.post('/forms', { title: '下書き' })).body.form.id;
    const { id } = await publishedForm(client);
    const recipients = [{ email: 'a@example.co.jp' }];
    const ask = async (form_id: string, body: object) =>
      (await client.post(`/forms/${form_id}/invitations`, body)).body;
    assert.equal((await ask(draft, { recipients })).code, 'form_draft');
    assert.equal(
      (await ask(id, { recipients, expires_at: now.toISOString() })).errors[0].path,
      '/expires_at',
    );
    assert.equal((await ask(id, { recipients: [] })).errors[0].path, '/recipients');
    await client.post(`/forms/${id}/archive`);
    assert.equal((await ask(id, { recipients })).code, 'form_closed');
  });

  test('422 for hidden values that the published version does not have, each at its name', async () => {
    const { form_id } = await openForm(app.database, client.actor, fields, {
      more: { hidden: ['campaign'] },
    });
    const email = 'a@example.co.jp';
    const ask = (...hidden: object[]) =>
      client.post(`/forms/${form_id}/invitations`, {
        recipients: hidden.map((own) => ({ email, hidden: own })),
      });
    const refused = await ask({ campaign: 'spring' }, { nosuch: 'x', campaign: 'a\u0000' });
    assert.equal(refused.status, 422, refused.text);
    assert.deepEqual(faultsIn(refused.body), [
      '/recipients/1/hidden/campaign bad_characters',
      '/recipients/1/hidden/nosuch unknown_field',
    ]);
    const made = await ask({ campaign: 'spring' }, {});
    assert.deepEqual(
      made.body.invitations.map(({ hidden }: { hidden: object }) => hidden),
      [{ campaign: 'spring' }, {}],
    );
  });

  test('a form token of another form is refused as such', async () => {
    const { path } = await invited([{ email: 'a@example.co.jp' }]);
    const other = await openForm(app.database, client.actor, fields);
    const { form_token } = (await guest.post(`${other.path}/tokens`, {})).body;
    const reply = await guest.post(`${path}/responses`, { form_token, data: { text: 'はい' } });
    assert.deepEqual([reply.status, reply.body.code], [422, 'form_token_invalid']);
  });
});
