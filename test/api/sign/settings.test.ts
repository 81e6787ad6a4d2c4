import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';
import { storedDraft } from '../../support/stored-signing.ts';

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

test('more years for which documents are kept count for all that are signed, by the fiscal year of their day', async () => {
  const client = await app.actor();
  const { organization_id, user_id } = client.actor;
  const signed = { status: 'signed', sent_at: '2026-05-01T00:00:00Z', ended_on: '2026-05-10' } as const;
  const made = async (retention_until: string, more = {}) =>
    (await storedDraft(app, { organization_id, user_id, document: { ...signed, retention_until, ...more } }))
      .id;
  const of_year = await made('2037-05-31');
  const dated = await made('2036-02-29', { transaction_date: '2024-02-29' });
  const longer = await made('2050-01-01');
  const draft = (await storedDraft(app, { organization_id, user_id })).id;
  const year = { start_date: '2026-04-01', end_date: '2027-03-31' };
  const opened = await client.post('/accounting/fiscal-years', year);
  assert.equal(opened.status, 201, opened.text);
  const untils = async () => {
    const until = async (id: string) =>
      (await client.get(`/sign/documents/${id}`)).body.document.retention_until;
    return Promise.all([of_year, dated, longer, draft].map(until));
  };
  assert.equal((await client.patch(PATH, { retention_years: 12 })).status, 200);
  const raised = ['2039-05-31', '2038-02-28', '2050-01-01', null];
  assert.deepEqual(await untils(), raised);
  assert.equal((await client.patch(PATH, { retention_years: 7 })).status, 200);
  assert.deepEqual(await untils(), raised);
});
