import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';

const app = await startApp();

const PATH = '/mail/settings';

test('an organization that has changed nothing has the defaults, and changes are merged by key', async () => {
  const client = await app.actor();
  const before = (await client.get(PATH)).body.settings;
  assert.deepEqual(before.auto_pause, { bounce_percent: '5.00', complaint_percent: '0.30' });
  const reply = await client.patch(PATH, {
    sender_name: '株式会社山田商店',
    throttle: { per_hour: 100 },
    auto_pause: { bounce_percent: '7.5' },
  });
  assert.equal(reply.status, 200, reply.text);
  const { settings } = reply.body;
  assert.deepEqual(settings.throttle, { per_second: null, per_hour: 100, per_day: null });
  assert.deepEqual(settings.auto_pause, { bounce_percent: '7.50', complaint_percent: '0.30' });
  assert.deepEqual((await client.get(PATH)).body.settings, settings);
  const off = await client.patch(PATH, { auto_pause: { complaint_percent: null } });
  assert.deepEqual(off.body.settings.auto_pause, { bounce_percent: '7.50', complaint_percent: null });
});

test('what cannot be is refused at its path', async () => {
  const client = await app.actor();
  const refused: [object, string][] = [
    [{ throttle: { per_second: 0 } }, '/throttle/per_second'],
    [{ throttle: { per_day: 10_000_001 } }, '/throttle/per_day'],
    [{ bounce_address: 'seventeen-letters@example.co.jp' }, '/bounce_address'],
    [{ mail_order_notice_url: 'javascript:alert(1)' }, '/mail_order_notice_url'],
    [{ sender_name: 'A\r\nBcc: x' }, '/sender_name'],
    [{ auto_pause: { bounce_percent: '0.00' } }, '/auto_pause/bounce_percent'],
    [{ auto_pause: { bounce_percent: '100.01' } }, '/auto_pause/bounce_percent'],
    [{ auto_pause: { bounce_percent: '1.005' } }, '/auto_pause/bounce_percent'],
  ];
  for (const [body, path] of refused) {
    const reply = await client.patch(PATH, body);
    assert.deepEqual([reply.status, reply.body.errors?.[0].path], [422, path], reply.text);
  }
});
