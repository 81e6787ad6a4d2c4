import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';

const app = await startApp();

const PATH = '/sign/settings';

const defaults = {
  default_auth: 'email_otp',
  expiry_days: 90,
  expiry_warning_days: 3,
  reminders: {
    enabled: true,
    first_after_days: 3,
    every_days: 3,
    max: 5,
    hour: 9,
    skip_non_working: true,
  },
  locale: 'ja',
  time_zone: 'Asia/Tokyo',
  link_days: 90,
  retention_years: 10,
  approval_required: false,
};

test('an organization that has changed nothing has the defaults', async () => {
  const client = await app.actor();
  const { created_at, updated_at, ...settings } = (await client.get(PATH)).body.settings;
  assert.equal(created_at, updated_at);
  assert.deepEqual(settings, { id: client.actor.organization_id, object: 'sign.settings', ...defaults });
});

test('a change holds the fields sent, merges reminders, and is told in the audit log', async () => {
  const client = await app.actor();
  const told = await toldBy(app, client.actor.organization_id, async () => {
    const changed = await client.patch(PATH, { default_auth: 'none', reminders: { max: 0 } });
    assert.equal(changed.status, 200, changed.text);
    const { id, object, created_at, updated_at, ...settings } = changed.body.settings;
    assert.deepEqual(settings, {
      ...defaults,
      default_auth: 'none',
      reminders: { ...defaults.reminders, max: 0 },
    });
    assert.deepEqual((await client.get(PATH)).body, changed.body);
  });
  assert.equal(told.audit[0]!.entity_type, 'settings');
  assert.deepEqual(told.audit[0]!.changes['default_auth'], ['email_otp', 'none']);
  const again = await client.patch(PATH, { default_auth: 'none' });
  assert.equal(again.status, 200);
});

test('what settings do not take is told by its place', async () => {
  const client = await app.actor();
  const sent = { expiry_days: 366, retention_years: 6, reminders: { hour: 24 }, time_zone: 'Tokyo' };
  assert.deepEqual(faultsIn((await client.patch(PATH, sent)).body).sort(), [
    '/expiry_days too_large',
    '/reminders/hour too_large',
    '/retention_years too_small',
    '/time_zone invalid_time_zone',
  ]);
});
