import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { publishedForm } from '../../support/forms-made.ts';
import { OF_TWO_MAILBOXES, WITHIN_THREE_EACH } from '../../support/mailboxes.ts';

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

test('who does not consent is asked nothing, who does is asked with the words they saw; the list stays while the form names it', async () => {
  const staff = await app.actor();
  const list_id = (await staff.post('/mail/lists', { name: 'お知らせ' })).body.list.id;
  const mailing_list = { list_id, email_field: 'email', consent_field: 'news' };
  const { id } = await publishedForm(staff, { settings: { mailing_list } });
  const submit = async (email: string, more: object) => {
    const data = { email, text: '資料をお願いします', ...more };
    assert.equal((await staff.post(`/forms/${id}/responses`, { data })).status, 201);
  };
  await submit('no@example.co.jp', {});
  await submit('never@example.co.jp', { news: false });
  await submit('yes@example.co.jp', { news: true });
  const asked = (await staff.get('/mail/opt-ins')).body.items;
  assert.deepEqual(
    asked.map(({ email, list_id, text, status }: Record<string, string>) => [email, list_id, text, status]),
    [['yes@example.co.jp', list_id, 'メールでのお知らせを希望します', 'pending']],
  );
  const refused = await staff.delete(`/mail/lists/${list_id}`);
  assert.deepEqual([refused.status, refused.body.code], [409, 'in_use'], refused.text);
  await staff.patch(`/forms/${id}/settings`, { mailing_list: null });
  assert.equal((await staff.delete(`/mail/lists/${list_id}`)).status, 200);
});

test('a mailbox gets three receipts a day, whatever stands behind the +', async () => {
  const staff = await app.actor();
  const { id } = await publishedForm(staff, {
    settings: { receipt_mail: { enabled: true, field_id: 'email' } },
  });
  for (const email of OF_TWO_MAILBOXES) {
    const reply = await staff.post(`/forms/${id}/responses`, { data: { email, text: '資料をお願いします' } });
    assert.equal(reply.status, 201, reply.text);
  }
  const rows = await app.database.withConnection(staff.actor.organization_id, ({ query }) =>
    query<{ email: string }>("SELECT email FROM forms_mails WHERE kind = 'receipt' ORDER BY created_at"),
  );
  assert.deepEqual(
    rows.map(({ email }) => email),
    WITHIN_THREE_EACH,
  );
});

test('who has left is named again by a change of other fields, and by nobody else', async () => {
  const staff = await app.actor();
  const { id } = await publishedForm(staff, {});
  const leaving = await app.actor({ organization_id: staff.actor.organization_id });
  const { response } = (await staff.post(`/forms/${id}/responses`, { data: { text: 'こんにちは' } })).body;
  const path = `/forms/${id}/responses/${response.id}`;
  const assignee_id = leaving.actor.user_id;
  assert.equal((await staff.patch(path, { assignee_id })).body.response.assignee_id, assignee_id);
  await app.database.withConnection(staff.actor.organization_id, ({ query }) =>
    query('UPDATE members SET left_at = now() WHERE user_id = $1', [assignee_id]),
  );
  const kept = await staff.patch(path, { assignee_id, note: '確認しました' });
  assert.deepEqual([kept.status, kept.body.response?.note], [200, '確認しました'], kept.text);
  const other = (await staff.post(`/forms/${id}/responses`, { data: { text: 'もう一件' } })).body.response;
  const refused = await staff.patch(`/forms/${id}/responses/${other.id}`, { assignee_id });
  assert.deepEqual([refused.status, refused.body.errors?.[0].path], [422, '/assignee_id'], refused.text);
});
