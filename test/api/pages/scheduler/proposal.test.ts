import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../support/app.ts';
import { FRIDAY, FRIDAY_LATER, NOW, newBookingSite, textOf } from '../../../support/booking-site.ts';
import { visitor } from '../../../support/forms.ts';

const app = await startApp({ now: () => NOW });
const site = await newBookingSite(app);
const guest = visitor(app);
const { id: event_type_id } = await site.eventType({ slug: 'talk' });

async function propose(starts: readonly string[]): Promise<string> {
  const candidates = starts.map((start) => ({ start }));
  const who = { name: '佐藤 花子', email: 'hanako@example.jp' };
  const { guest_url } = await site.done('POST', '/proposals', { event_type_id, candidates, guest: who });
  return new URL(guest_url).pathname;
}

test('a guest takes one of the times, once', async () => {
  const path = await propose([FRIDAY, FRIDAY_LATER]);
  const text = textOf(await guest.get(`${path}?lang=en`));
  assert.match(text, /held for you until/);
  assert.match(text, /Fri, 27 November 2026 10:00 – 10:30/);
  const sent = await guest.send(path, { action: 'accept', start: FRIDAY_LATER });
  assert.equal(sent.status, 303, sent.html);
  assert.match(sent.headers.get('location')!, /^\/b\/[\w-]{43}$/);
  const again = await guest.send(path, { action: 'accept', start: FRIDAY_LATER });
  assert.equal(again.headers.get('location'), sent.headers.get('location'));
  const other = await guest.send(`${path}?lang=en`, { action: 'accept', start: FRIDAY });
  assert.equal(other.status, 409);
  assert.match(textOf(other), /The time is set/);
  // Which zone times are in is said where there are times.
  assert.match(text, /Times are in Japan Standard Time/);
  for (const language of ['en', 'ja']) {
    assert.doesNotMatch(textOf(await guest.get(`${path}?lang=${language}`)), /Times are in|標準時/);
  }
});

test('a guest takes none', async () => {
  const path = await propose(['2026-12-01T01:00:00.000Z']);
  const sent = await guest.send(`${path}?lang=en`, { action: 'decline', reason: '出張' });
  assert.deepEqual([sent.status, sent.headers.get('location')], [303, `${path}?lang=en`]);
  assert.match(textOf(await guest.get(`${path}?lang=en`)), /Thank you for your answer/);
});

test('a form without a time is shown again', async () => {
  const path = await propose(['2026-12-02T01:00:00.000Z']);
  const sent = await guest.send(`${path}?lang=en`, { action: 'accept' });
  assert.equal(sent.status, 422);
  assert.match(sent.html, /id="start-fault"/);
});
