import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startApp } from '../../support/app.ts';
import { assertLines, readByIcalJs, readByPython } from '../../support/icalendar.ts';
import { lettersAbout } from '../../support/letters.ts';
import { newMember, newOwner } from '../../support/people.ts';
import { changeBooking } from '../../support/stored-bookings.ts';

const app = await startApp();
const FEEDS = '/scheduler/feeds';

/** What a calendar program gets at an address. */
async function followed(url: string, headers: Record<string, string> = {}) {
  const reply = await fetch(url.replace(/^https?:\/\/[^/]+/, app.base_url), { headers });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
}

describe('a feed', () => {
  it('holds the confirmed bookings of its member alone, and says when nothing has changed', async () => {
    const client = await app.actor();
    const { organization_id, user_id } = client.actor;
    const other = await app.actor({ organization_id });
    const made = await client.post(FEEDS, {});
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(made.body.feed.user_id, user_id);
    const where = { organization_id };
    const location = { type: 'in_person' as const, label: '本社, 2階', value: null };
    const booking = await changeBooking(app, where, 'created', [null, { user_ids: [user_id], location }]);
    await changeBooking(app, where, 'created', [null, { user_ids: [other.actor.user_id] }]);
    await changeBooking(app, where, 'created', [null, { user_ids: [user_id], status: 'pending' }]);
    const { status, headers, text } = await followed(made.body.url);
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/calendar; charset=utf-8']);
    assertLines(text);
    const read = readByIcalJs(text);
    assert.deepEqual(readByPython([text]), [read]);
    assert.equal(read.method, 'PUBLISH');
    assert.deepEqual(
      read.events.map(({ uid, start, end, summary, location }) => [
        uid.split('@')[0],
        start,
        end,
        summary,
        location,
      ]),
      [[booking.id, booking.start, booking.end, '初回相談 (Hanako Sato)', '本社, 2階']],
    );
    const etag = headers.get('etag')!;
    assert.equal((await followed(made.body.url, { 'If-None-Match': etag })).status, 304);
    await changeBooking(app, where, 'cancelled', [booking, { status: 'cancelled', revision: 1 }]);
    const later = await followed(made.body.url, { 'If-None-Match': etag });
    assert.deepEqual([later.status, readByIcalJs(later.text).events], [200, []]);
  });

  it('ends when it is deleted, and no other address opens one', async () => {
    const client = await app.actor();
    const { feed, url } = (await client.post(FEEDS, {})).body;
    assert.equal((await client.get(FEEDS)).body.items[0].id, feed.id);
    assert.equal((await client.delete(`${FEEDS}/${feed.id}`)).status, 200);
    assert.equal((await followed(url)).status, 404);
    for (const token of ['0'.repeat(64), feed.id, 'x'])
      assert.equal((await followed(`${app.base_url}/api/v1${FEEDS}/${token}.ics`)).status, 404);
    assert.equal((await client.delete(`${FEEDS}/${feed.id}`)).status, 404);
  });

  it('ends with its member, in that commit', async () => {
    const owner = await newOwner(app);
    const member = await newMember(app, owner, 'member');
    const { url } = (await member.post(FEEDS, {})).body;
    assert.equal((await followed(url)).status, 200);
    const { items } = (await owner.get(`/members?user_id=${member.user_id}`)).body;
    const left = await owner.delete(`/members/${items[0].id}`);
    assert.equal(left.status, 200, left.text);
    assert.equal((await followed(url)).status, 404);
    assert.equal((await owner.get(FEEDS)).body.items.length, 0);
  });

  it("is one's own, or anyone's for managers", async () => {
    const manager = await app.actor({ role: 'manager' });
    const { organization_id, user_id } = manager.actor;
    const member = await app.actor({ organization_id, role: 'member' });
    const own = (await member.post(FEEDS, {})).body.feed;
    const of_manager = (await manager.post(FEEDS, {})).body.feed;
    const refused = [
      await member.post(FEEDS, { user_id }),
      await member.delete(`${FEEDS}/${of_manager.id}`),
      await member.get(`${FEEDS}?user_id=${user_id}`),
    ];
    for (const { status, body } of refused) assert.deepEqual([status, body.code], [403, 'not_owner']);
    assert.deepEqual(
      (await member.get(FEEDS)).body.items.map(({ id }: { id: string }) => id),
      [own.id],
    );
    assert.equal((await manager.get(FEEDS)).body.items.length, 2);
    assert.equal((await manager.post(FEEDS, { user_id: member.actor.user_id })).status, 201);
    assert.equal((await manager.delete(`${FEEDS}/${own.id}`)).status, 200);
  });

  it('is one of at most 20 of a member', async () => {
    const client = await app.actor();
    for (let count = 0; count < 20; count += 1) assert.equal((await client.post(FEEDS, {})).status, 201);
    const { status, body } = await client.post(FEEDS, {});
    assert.deepEqual([status, body.code], [409, 'in_use']);
  });
});

describe('a booking as a file', () => {
  it('is the same event as in its mails, for staff and by the link of its guest', async () => {
    const client = await app.actor();
    const { organization_id, user_id, secret } = client.actor;
    const where = { organization_id };
    const booking = await changeBooking(app, where, 'created', [null, { user_ids: [user_id] }]);
    const letters = await lettersAbout(app, 'scheduler.booking', booking.id);
    const [mailed] = readByIcalJs(letters[0]!.calendar!.text).events;
    const token = letters[0]!.action!.url.split('/').at(-1);
    const url = (path: string) => `${app.base_url}/api/v1/scheduler${path}`;
    const files = [
      await followed(url(`/bookings/${booking.id}/ics`), { Authorization: `Bearer ${secret}` }),
      await followed(url(`/b/${token}/ics`)),
    ];
    for (const { status, headers, text } of files) {
      assert.deepEqual([status, headers.get('content-type')], [200, 'text/calendar; charset=utf-8'], text);
      assert.match(headers.get('content-disposition')!, /booking\.ics/);
      assertLines(text);
      const { uid, sequence, start, end, status: is, attendees } = readByIcalJs(text).events[0]!;
      assert.deepEqual([uid, sequence, start, end], [mailed!.uid, 0, booking.start, booking.end]);
      assert.deepEqual([is, attendees], ['CONFIRMED', []]);
    }
    assert.ok(!files[0]!.text.includes('/b/'));
    assert.equal((await followed(url(`/b/${'A'.repeat(43)}/ics`))).status, 404);
    await changeBooking(app, where, 'cancelled', [booking, { status: 'cancelled', revision: 1 }]);
    const [event] = readByIcalJs((await followed(url(`/b/${token}/ics`))).text).events;
    assert.deepEqual([event!.status, event!.sequence], ['CANCELLED', 1]);
  });
});
