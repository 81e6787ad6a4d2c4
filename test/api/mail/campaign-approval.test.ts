import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newDraft, newSender } from '../../support/sendable-campaigns.ts';

const app = await startApp();

const inAnHour = () => new Date(app.context.now().getTime() + 3_600_000).toISOString();

test('scheduling, sending and changes of what is scheduled: 403 without approvals:write; unscheduling needs mail:write alone', async () => {
  const { client, list_id } = await newSender(app);
  const path = await newDraft(client, { list_ids: [list_id] });
  await client.post(`${path}/schedule`, { scheduled_at: inAnHour() });
  const { organization_id } = client.actor;
  const writer = await app.actor({ organization_id, scopes: ['mail:read', 'mail:write'] });
  for (const [action, body] of [
    ['schedule', { scheduled_at: inAnHour() }],
    ['send', undefined],
  ] as const) {
    const reply = await writer.post(`${path}/${action}`, body);
    assert.deepEqual([reply.status, reply.body.required_scope], [403, 'approvals:write'], reply.text);
  }
  const { campaign } = (await writer.get(path)).body;
  assert.deepEqual(campaign.available_actions, ['update', 'unschedule', 'cancel', 'duplicate']);
  for (const [field, value] of [
    ['body_html', '<p>別の本文</p>'],
    ['list_ids', []],
    ['from_name', '別の人'],
  ] as const) {
    const reply = await writer.patch(path, { [field]: value });
    assert.deepEqual([reply.status, reply.body.required_scope], [403, 'approvals:write'], reply.text);
    assert.match(reply.body.detail, new RegExp(field));
  }
  assert.equal((await writer.patch(path, { name: '夏', throttle: { per_second: 5 } })).status, 200);
  assert.equal((await client.get(path)).body.campaign.body_html, campaign.body_html);
  assert.equal((await writer.post(`${path}/unschedule`)).status, 200);
  assert.equal((await writer.patch(path, { body_html: '<p>別の本文</p>' })).status, 200);
});
