import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { publishedForm } from '../../support/forms-made.ts';

const app = await startApp();

test('contact and opt-in name the form as it was shown, not as staff are changing it', async () => {
  const staff = await app.actor();
  const list_id = (await staff.post('/mail/lists', { name: 'お知らせ' })).body.list.id;
  const { id } = await publishedForm(staff, {
    settings: {
      crm: { enabled: true, map: { email: 'email', full_name: 'who' } },
      mailing_list: { list_id, email_field: 'email', consent_field: 'news' },
    },
  });
  await staff.patch(`/forms/${id}`, { title: '社内の下書き' });
  const reply = await staff.post(`/forms/${id}/responses`, {
    data: {
      email: 'hanako@example.co.jp',
      who: { last_name: '山田', first_name: '花子' },
      text: '資料をお願いします',
      news: true,
    },
  });
  assert.equal(reply.status, 201, reply.text);
  const { contact_id } = reply.body.response.crm;
  const [note] = (await staff.get(`/crm/activities?contact_id=${contact_id}`)).body.items;
  assert.equal(note.content, `フォーム「お問い合わせ」に回答がありました（${reply.body.response.id}）`);
  const [opt_in] = (await staff.get('/mail/opt-ins')).body.items;
  assert.equal(opt_in.source, 'お問い合わせ');
});
