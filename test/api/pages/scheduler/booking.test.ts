import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../../support/app.ts';
import { FRIDAY, FRIDAY_LATER, linksOf, NOW, newBookingSite, textOf } from '../../../support/booking-site.ts';
import { visitor } from '../../../support/forms.ts';

const app = await startApp({ now: () => NOW });
const site = await newBookingSite(app, { cancel_policy: '前日の18時まで。' });
const guest = visitor(app);
await site.eventType({
  slug: 'talk',
  locations: [{ type: 'link', value: 'https://meet.example/abc' }],
  questions: [{ id: 'topic', label: 'ご相談内容', type: 'long_text' }],
});
const talk = site.page('talk');
const only = async () => (await site.get('/scheduler/bookings?limit=1')).body.items[0];

describe('the page of a booking', () => {
  test('says how it stands, when and where it is, and what was answered', async () => {
    const path = await site.booked(talk, { 'answer-topic': '<b>見積もり</b>' });
    const reply = await guest.get(`${path}?lang=en`);
    const text = textOf(reply);
    assert.match(text, /You are booked We have sent a mail to hanako@example\.jp/);
    assert.match(text, /Fri, 27 November 2026 10:00 – 10:30 Japan Standard Time/);
    assert.match(reply.html, /<a href="https:\/\/meet\.example\/abc" rel="noreferrer">/);
    assert.match(reply.html, /&#60;b&#62;見積もり&#60;\/b&#62;/);
    assert.ok(linksOf(reply).includes(`/api/v1/scheduler${path}/ics`));
    assert.equal(reply.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(reply.headers.get('x-robots-tag'), 'noindex');
    assert.deepEqual(reply.headers.getSetCookie(), []);
  });

  test('is 404 for every token that opens none', async () => {
    for (const token of ['A'.repeat(43), 'x', 'a'.repeat(64)]) {
      const reply = await guest.get(`/b/${token}`);
      assert.equal(reply.status, 404);
      assert.match(reply.headers.get('content-type')!, /html/);
      assert.match((await guest.get(`/b/${token}?lang=ja`)).html, /返信して/);
      assert.match((await guest.get(`/b/${token}?lang=en`)).html, /reply to the mail/);
    }
  });

  test('changes nothing when it is looked at', async () => {
    const path = await site.booked(talk, { start: '2026-12-01T01:00:00.000Z' });
    const { updated_at } = await only();
    for (const query of ['', '?move=1', '?move=1&start=2026-12-01T02:00:00.000Z', '?action=cancel']) {
      assert.equal((await guest.get(path + query)).status, 200);
    }
    assert.equal((await only()).updated_at, updated_at);
  });
});

describe('a guest cancels', () => {
  test('with a reason, once', async () => {
    const path = await site.booked(talk, { start: '2026-12-02T01:00:00.000Z' });
    assert.match(textOf(await guest.get(path)), /前日の18時まで/);
    const sent = await guest.send(path, { action: 'cancel', reason: '急用\r\nのため' });
    assert.deepEqual([sent.status, sent.headers.get('location')], [303, path]);
    const shown = await guest.get(`${path}?lang=en`);
    assert.match(textOf(shown), /This booking was cancelled You cancelled it/);
    assert.ok(linksOf(shown).includes(`${talk}?lang=en`));
    const { status, cancelled_by, cancel_reason } = await only();
    assert.deepEqual([status, cancelled_by, cancel_reason], ['cancelled', 'guest', '急用\nのため']);
    const again = await guest.send(`${path}?lang=en`, { action: 'cancel', reason: '' });
    assert.equal(again.status, 409);
    assert.match(again.html, /done already/);
  });

  test('no later than the type allows', async () => {
    await site.eventType({ slug: 'strict', cancel_cutoff_minutes: 10_080, reschedule_cutoff_minutes: null });
    const path = await site.booked(site.page('strict'), { start: FRIDAY_LATER });
    const { html } = await guest.get(path);
    assert.doesNotMatch(html, /class="cancel"|move=1/);
    const sent = await guest.send(`${path}?lang=en`, { action: 'cancel', reason: '' });
    assert.equal(sent.status, 409);
    assert.match(sent.html, /too late to change or cancel/);
  });
});

describe('a guest chooses another time', () => {
  test('among those of its own month, where that has any', async () => {
    const path = await site.booked(talk, { start: '2027-01-12T01:00:00.000Z' });
    const monthOn = async (query: string) =>
      /<h3>([^<]+)<\/h3>/.exec((await guest.get(`${path}?move=1&lang=en${query}`)).html)![1]!;
    assert.equal(await monthOn(''), 'January 2027');
    assert.equal(await monthOn('&month=2026-12'), 'December 2026');
    const { id } = await only();
    // Outside of what guests can book: neither that month nor the next has any time.
    await site.done('POST', `/bookings/${id}/reschedule`, { start: '2027-09-01T01:00:00.000Z', force: true });
    assert.match(await monthOn(''), /^(November|December) 2026$/);
    await site.done('POST', `/bookings/${id}/cancel`, {});
  });

  test('and the booking keeps its page', async () => {
    const path = await site.booked(talk, { start: '2026-12-03T01:00:00.000Z' });
    const picking = await guest.get(`${path}?move=1&lang=en`);
    assert.match(textOf(picking), /The time now Thu, 3 December 2026 10:00/);
    // Its own time does not stand in its way.
    const day = await guest.get(`${path}?move=1&date=2026-12-03&lang=en`);
    assert.match(textOf(day), /9:30 10:00 10:30/);
    const start = '2026-12-03T02:00:00.000Z';
    const confirming = await guest.get(`${path}?move=1&start=${start}&lang=en`);
    assert.match(textOf(confirming), /The new time Thu, 3 December 2026 11:00 – 11:30/);
    const sent = await guest.send(`${path}?lang=en`, { action: 'reschedule', start });
    assert.deepEqual([sent.status, sent.headers.get('location')], [303, `${path}?lang=en`]);
    assert.match(textOf(await guest.get(`${path}?lang=en`)), /3 December 2026 11:00 – 11:30/);
    assert.equal((await only()).revision, 1);
  });

  test('and is told where somebody was faster', async () => {
    const taken = '2026-12-04T01:00:00.000Z';
    await site.booked(talk, { start: taken });
    const path = await site.booked(talk, { start: '2026-12-04T02:00:00.000Z' });
    const sent = await guest.send(`${path}?lang=en`, { action: 'reschedule', start: taken });
    assert.equal(sent.status, 409);
    assert.match(sent.html, /taken just now/);
    assert.match(sent.html, /id="times"/);
    const senseless = await guest.send(path, { action: 'reschedule', start: 'soon' });
    assert.equal(senseless.status, 422);
  });
});

test('a booking at the first free time stands in nobody else’s list', async () => {
  const { html } = await guest.get(`${talk}?date=2026-11-27`);
  assert.doesNotMatch(html, new RegExp(FRIDAY.replaceAll(':', '%3A')));
});
