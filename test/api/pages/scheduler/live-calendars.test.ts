import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../support/app.ts';
import { NOW, siteOf, textOf } from '../../../support/booking-site.ts';
import { visitor } from '../../../support/forms.ts';
import { googleFake } from '../../../support/google.ts';
import { liveCalendars } from '../../../support/live-calendars.ts';
import { newOwner } from '../../../support/people.ts';
import { deskOf } from '../../../support/scheduler.ts';

const google = await googleFake();
const app = await startApp({ environment: google.environment, now: () => NOW });
const { withCalendar, put, grownOld } = liveCalendars(app, google);
const guest = visitor(app);

const HALF_HOUR = 1_800_000;
const TEN = Date.parse('2026-12-01T01:00:00.000Z');
const at = (halfHours: number) => new Date(TEN + halfHours * HALF_HOUR).toISOString();

const owner = await withCalendar(await newOwner(app));
const site = await siteOf(app, deskOf(app, owner, owner));
const { id: event_type_id } = await site.eventType({ slug: 'talk' });
const talk = site.page('talk');
const booked = await site.booked(talk, { start: at(4) });
const free = await site.filled(talk, { start: at(5) });
const taken = await site.filled(talk, { start: at(0) });
const proposed = await site.done('POST', '/proposals', {
  event_type_id,
  candidates: [{ start: at(0) }, { start: at(8) }],
  guest: { name: '佐藤 花子', email: 'hanako@example.jp' },
  hold: 'none',
});
const proposal = new URL(proposed.guest_url).pathname;
// Nothing has read this one yet: only who asks live is told.
put(owner.calendar, 'new', TEN, TEN + HALF_HOUR);

test('a time that the calendar says is busy is taken, and is not among the others that are offered', async () => {
  const sent = await guest.send(`${talk}?lang=en`, taken);
  assert.equal(sent.status, 409);
  assert.match(textOf(sent), /taken just now/);
  assert.match(sent.html, new RegExp(`type="radio"[^>]*value="${at(1)}"`));
  assert.doesNotMatch(sent.html, new RegExp(`type="radio"[^>]*value="${at(0)}"`));
});

test('a booking is not moved to it', async () => {
  const sent = await guest.send(`${booked}?lang=en`, { action: 'reschedule', start: at(0) });
  assert.equal(sent.status, 409);
  assert.match(textOf(sent), /taken just now/);
});

test('a proposal has it no more once it was tried', async () => {
  const sent = await guest.send(`${proposal}?lang=en`, { action: 'accept', start: at(0) });
  assert.equal(sent.status, 409);
  assert.match(textOf(sent), /1 December 2026 10:00 – 10:30 taken/);
  assert.match(sent.html, new RegExp(`type="radio"[^>]*value="${at(8)}"`));
});

test('while nothing is known of the host every form is kept, and may be sent again', async () => {
  google.verdict = ({ path }) => (path === '/freeBusy' ? { status: 503, body: {} } : undefined);
  await grownOld();
  const forms: [path: string, fields: Record<string, string>][] = [
    [talk, free],
    [booked, { action: 'reschedule', start: at(6) }],
    [proposal, { action: 'accept', start: at(8) }],
  ];
  for (const [path, fields] of forms) {
    const sent = await guest.send(`${path}?lang=en`, fields);
    assert.deepEqual([sent.status, sent.headers.get('retry-after')], [503, '30'], path);
    assert.match(textOf(sent), /cannot read the calendar of the host just now/);
    assert.match(sent.html, new RegExp(fields['start']!), path);
  }
  google.verdict = () => undefined;
  const again = await guest.send(talk, free);
  assert.equal(again.status, 303, again.html);
});
