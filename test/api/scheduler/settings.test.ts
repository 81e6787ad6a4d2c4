import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';
import { newDesk } from '../../support/scheduler.ts';

const app = await startApp();

const PATH = '/scheduler/settings';

const office = {
  weekly: [{ days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'], start: '09:00', end: '18:00' }],
};

test('an organization that has changed nothing has the defaults', async () => {
  const desk = await newDesk(app);
  const { created_at, updated_at, ...settings } = (await desk.done('GET', '/settings')).settings;
  assert.equal(created_at, updated_at);
  assert.deepEqual(settings, {
    id: desk.organization_id,
    object: 'scheduler.settings',
    embed_origins: [],
    time_zone: 'Asia/Tokyo',
    week_starts_on: 'sunday',
    time_format: '24',
    default_availability: office,
    default_reminders: [{ minutes_before: 1440, to: 'both' }],
    cancel_policy: null,
    color: null,
    locale: 'ja',
    calendar_failure: 'closed',
    block_on_leave: true,
    retention_days: null,
  });
});

test('a change holds the fields sent, and is told in the audit log', async () => {
  const desk = await newDesk(app);
  const patch = {
    embed_origins: ['https://WWW.example.co.jp/', 'http://localhost:8080'],
    time_zone: 'europe/paris',
    week_starts_on: 'monday',
    time_format: '12',
    default_availability: { weekly: [{ days: ['sunday'], start: '20:00', end: '02:00' }] },
    default_reminders: [],
    cancel_policy: '前日までにご連絡ください',
    color: '#0f766e',
    locale: 'en',
    calendar_failure: 'open',
    block_on_leave: false,
    retention_days: 365,
  };
  const told = await toldBy(app, desk.organization_id, async () => {
    const changed = await desk.patch(PATH, patch);
    assert.equal(changed.status, 200, changed.text);
    const expected = {
      ...patch,
      embed_origins: ['https://www.example.co.jp', 'http://localhost:8080'],
      time_zone: 'Europe/Paris',
    };
    for (const [name, value] of Object.entries(expected)) {
      assert.deepEqual(changed.body.settings[name], value, name);
    }
    const again = await desk.patch(PATH, patch);
    assert.equal(again.headers.get('etag'), changed.headers.get('etag'));
    assert.equal((await desk.get(PATH)).headers.get('etag'), changed.headers.get('etag'));
  });
  assert.deepEqual(
    told.audit.map(({ entity_type, action, changes }) => [entity_type, action, Object.keys(changes).length]),
    [['settings', 'update', 12]],
  );
});

test('what is wrong is refused at its place; members without the scope change nothing', async () => {
  const desk = await newDesk(app);
  const cases: [object, string][] = [
    [{ embed_origins: ['https://example.com/path'] }, '/embed_origins/0 invalid_origin'],
    [
      { embed_origins: ["https://example.com; script-src 'unsafe-inline'"] },
      '/embed_origins/0 invalid_origin',
    ],
    [{ embed_origins: ['https://user@example.com'] }, '/embed_origins/0 invalid_origin'],
    [{ embed_origins: ['data:text/html,x'] }, '/embed_origins/0 invalid_origin'],
    [{ embed_origins: ['*'] }, '/embed_origins/0 invalid_origin'],
    [{ embed_origins: ['https://*.example.com'] }, '/embed_origins/0 invalid_origin'],
    [{ embed_origins: ['https://*'] }, '/embed_origins/0 invalid_origin'],
    [{ embed_origins: ['https://example.com;sandbox'] }, '/embed_origins/0 invalid_origin'],
    [{ embed_origins: ['https://example.com,sandbox'] }, '/embed_origins/0 invalid_origin'],
    [{ time_zone: 'JST' }, '/time_zone invalid_time_zone'],
    [{ color: 'red' }, '/color invalid_format'],
    [{ retention_days: -1 }, '/retention_days too_small'],
    [
      { default_reminders: [{ minutes_before: 43_201, to: 'both' }] },
      '/default_reminders/0/minutes_before too_large',
    ],
  ];
  for (const [patch, fault] of cases) {
    const reply = await desk.patch(PATH, patch);
    assert.deepEqual([reply.status, faultsIn(reply.body)], [422, [fault]], JSON.stringify(patch));
  }
  const member = await desk.colleague('manager');
  assert.equal((await member.get(PATH)).status, 200);
  assert.equal((await member.patch(PATH, { locale: 'en' })).status, 403);
});
