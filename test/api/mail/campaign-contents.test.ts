import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';

const app = await startApp();

const PATH = '/mail/campaigns';

test('HTML is cleaned when it is saved, which is told in the language of the caller', async () => {
  const client = await app.actor();
  const made = await client.post(PATH, {
    name: '春',
    subject: '春'.repeat(61),
    body_html:
      '<p onclick="x()">{{last_name|お客様}} 様</p><script>x</script><img src="https://a.example/b.png">',
  });
  assert.equal(made.status, 201, made.text);
  const { campaign } = made.body;
  assert.equal(campaign.body_html, '<p>{{last_name|お客様}} 様</p><img src="https://a.example/b.png" />');
  assert.deepEqual(
    campaign.warnings.map(({ code, path }: { code: string; path: string }) => [code, path]),
    [
      ['elements_removed', '/body_html'],
      ['attributes_removed', '/body_html'],
      ['image_without_alt', '/body_html'],
      ['subject_long', '/subject'],
      ['base_url_insecure', ''],
    ],
  );
  const path = `${PATH}/${campaign.id}`;
  const { warnings } = (await client.get(path, { 'Accept-Language': 'ja' })).body.campaign;
  assert.equal(warnings[0].message, '使えない要素を取り除きました: script');
  const renamed = (await client.patch(path, { subject: '春' })).body.campaign;
  assert.deepEqual(renamed.warnings, campaign.warnings.toSpliced(3, 1));
  const anew = (await client.patch(path, { body_html: '<p>x</p>' })).body.campaign;
  assert.deepEqual(anew.warnings, campaign.warnings.slice(4));
});

test('what keeps it from arriving is told when it is saved: no key that signs, a list that was removed', async () => {
  const client = await app.actor();
  await client.patch('/mail/settings', { default_from_email: 'info@example.co.jp' });
  const list_id = (await client.post('/mail/lists', { name: 'A' })).body.list.id;
  const segment = { name: 'A', filter: { all: [{ field: 'domain', op: 'equals', value: 'a.example' }] } };
  const segment_id = (await client.post('/mail/segments', segment)).body.segment.id;
  const made = await client.post(PATH, { name: '春', exclude_list_ids: [list_id], segment_id });
  const places = ({ body }: typeof made) =>
    body.campaign.warnings.map(({ code, path }: { code: string; path: string }) => `${code} ${path}`);
  assert.deepEqual(places(made), ['dkim_key_missing /from_email', 'base_url_insecure ']);
  const key = { domain: 'example.co.jp', selector: 's1' };
  assert.equal((await client.post('/mail/settings/dkim-keys', key)).status, 201);
  assert.equal((await client.delete(`/mail/lists/${list_id}`)).status, 200);
  assert.equal((await client.delete(`/mail/segments/${segment_id}`)).status, 200);
  const path = `${PATH}/${made.body.campaign.id}`;
  const expected = ['list_missing /exclude_list_ids/0', 'segment_missing /segment_id', 'base_url_insecure '];
  assert.deepEqual(places(await client.patch(path, { name: '夏' })), expected);
  assert.deepEqual(places(await client.post(`${path}/duplicate`)), expected);
});

test('an address of the service with https is no reason for a warning', async () => {
  const secure = await startApp({ environment: { BASE_URL: 'https://office.example.co.jp' } });
  const client = await secure.actor();
  const made = await client.post(PATH, { name: '春' });
  assert.deepEqual([made.status, made.body.campaign.warnings], [201, []], made.text);
});

test('unknown and unclosed placeholders are 422 at their field, with the position', async () => {
  const client = await app.actor();
  for (const [body_html, character] of [
    ['<p>{{constructor}}</p>', 4],
    ['{{a.b.c}}', 1],
    ['x {{', 3],
    ['{{first_name|<b>x</b>}}', 1],
  ] as const) {
    const reply = await client.post(PATH, { name: '春', body_html });
    assert.equal(reply.status, 422, reply.text);
    const [error] = reply.body.errors;
    assert.deepEqual([error.path, error.code], ['/body_html', 'unknown_placeholder']);
    assert.ok(error.message.includes(`character ${character} `), error.message);
  }
});

test('a value that may lead a link to another host is 422 at its field, with the position', async () => {
  const client = await app.actor();
  for (const [field, text, character] of [
    ['body_html', '<p><a href="https://shop.example{{attributes.x}}">店</a></p>', 33],
    ['body_html', '<p><img src="https://{{attributes.x}}/a.png" alt=""></p>', 22],
    ['body_text', '店: https://shop.example{{attributes.x}}', 24],
  ] as const) {
    const reply = await client.post(PATH, { name: '春', [field]: text });
    assert.equal(reply.status, 422, reply.text);
    const [error] = reply.body.errors;
    assert.deepEqual([error.path, error.code], [`/${field}`, 'placeholder_in_host']);
    assert.ok(error.message.includes(`character ${character} `), error.message);
  }
  const below = '<p><a href="https://{{attributes.shop}}.shop.example/a">店</a></p>';
  assert.equal((await client.post(PATH, { name: '春', body_html: below })).status, 201);
});

test('HTML that is too deep, or too long once it is cleaned, is 422 at its field, of campaigns and templates', async () => {
  const client = await app.actor();
  const cases = [
    ['<b>'.repeat(170_000), 'too_deep'],
    ['<blockquote><x-y>'.repeat(251), 'too_deep'],
    ['&'.repeat(120_000), 'too_long'],
    [`<b>${'<i></i>'.repeat(50_000)}</b>${'<'.repeat(50_000)}`, 'too_long'],
  ] as const;
  for (const [body_html, code] of cases) {
    for (const path of ['/mail/campaigns', '/mail/templates']) {
      const reply = await client.post(path, { name: code, body_html });
      assert.equal(reply.status, 422, reply.text.slice(0, 200));
      const [error] = reply.body.errors;
      assert.deepEqual([error.path, error.code], ['/body_html', code]);
    }
  }
  // What is not closed and not within each other is as deep as it looks.
  const body_html = `${'<p>line'.repeat(2_000)}${'<b>'.repeat(400)}`;
  const made = await client.post('/mail/campaigns', { name: 'flat', body_html });
  assert.equal(made.status, 201, made.text.slice(0, 200));
  const checks = await client.get(`/mail/campaigns/${made.body.campaign.id}/checks`);
  assert.equal(checks.status, 200, checks.text.slice(0, 200));
});
