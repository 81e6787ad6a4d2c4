import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { toldSoFar } from '../../support/facts.ts';

const app = await startApp();

const PATH = '/mail/templates';

describe('/mail/templates', () => {
  test('201, 200: makes, changes, finds and removes a template', async () => {
    const client = await app.actor();
    const made = await client.post(PATH, {
      name: '月刊ニュース',
      subject: '{{last_name|お客様}} 様へ',
      body_html: '<p onclick="x()">{{attributes.会社名|貴社}} {{last_name}}</p><script>x()</script>',
    });
    assert.equal(made.status, 201, made.text);
    const { template } = made.body;
    assert.deepEqual(
      [template.body_html, template.placeholders],
      ['<p>{{attributes.会社名|貴社}} {{last_name}}</p>', ['last_name', 'attributes.会社名']],
    );
    const path = `${PATH}/${template.id}`;
    const changed = await client.patch(path, { body_html: null, body_text: '{{email}}' });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(changed.body.template.placeholders, ['last_name', 'email']);
    assert.equal((await client.get(path)).text, changed.text);
    const found = await client.get(`${PATH}?search=ニュース`);
    assert.deepEqual(
      found.body.items.map((each: { id: string }) => each.id),
      [template.id],
      found.text,
    );
    assert.ok(!('body_text' in found.body.items[0]));
    assert.equal((await client.get(`${PATH}?search=週刊`)).body.items.length, 0);
    assert.deepEqual((await client.delete(path)).body, { success: true });
    assert.equal((await client.get(path)).status, 404);
    const told = await toldSoFar(app, client.actor.organization_id);
    assert.deepEqual(
      told.audit.filter(({ entity_id }) => entity_id === template.id).map(({ action }) => action),
      ['create', 'update', 'delete'],
    );
  });

  test('201: a campaign takes from it what the request leaves out, and keeps it', async () => {
    const client = await app.actor();
    const contents = { subject: 'A', preheader: 'B', body_html: '<p>C</p>', body_text: 'D' };
    const { template } = (await client.post(PATH, { name: 'A', ...contents })).body;
    const made = await client.post('/mail/campaigns', { name: 'A', template_id: template.id, subject: 'E' });
    assert.equal(made.status, 201, made.text);
    await client.patch(`${PATH}/${template.id}`, { body_text: 'F' });
    assert.equal((await client.delete(`${PATH}/${template.id}`)).status, 200);
    const { campaign } = (await client.get(`/mail/campaigns/${made.body.campaign.id}`)).body;
    const { subject, preheader, body_html, body_text } = campaign;
    assert.deepEqual({ subject, preheader, body_html, body_text }, { ...contents, subject: 'E' });
  });

  test('422: tells where a placeholder is that there is not', async () => {
    const client = await app.actor();
    for (const body_html of ['<p>あ{{constructor}}</p>', '<p>あ{{a.b.c}}</p>', '<p>あ{{ </p>']) {
      const reply = await client.post(PATH, { name: 'A', body_html });
      assert.deepEqual(
        [reply.status, reply.body.errors[0].code, reply.body.errors[0].path],
        [422, 'unknown_placeholder', '/body_html'],
        body_html,
      );
      assert.match(reply.body.errors[0].message, /character 5/);
    }
  });

  test('409: a name that another one has, in any width', async () => {
    const client = await app.actor();
    const { template } = (await client.post(PATH, { name: 'News' })).body;
    const reply = await client.post(PATH, { name: 'ＮＥＷＳ' });
    assert.deepEqual([reply.status, reply.body.existing_id], [409, template.id], reply.text);
  });
});
