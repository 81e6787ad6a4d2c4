import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newGuests } from '../../support/bookings.ts';

const app = await startApp({ now: () => new Date('2026-11-30T00:00:00.000Z') });

/** Clock times of 2026-12-02, a Wednesday, in Tokyo. */
const at = (clock: string) => new Date(`2026-12-02T${clock}:00+09:00`).toISOString();

const DAY = 'from=2026-12-02&to=2026-12-03&time_zone=Asia/Tokyo';

const slotsOf = (token: string, asked = DAY) => app.anonymous.get(`/scheduler/b/${token}/slots?${asked}`);

/** The starts that a booking can be moved to on that day, with the seats that are left. */
async function offered(token: string): Promise<Record<string, number>> {
  const { status, body, text } = await slotsOf(token);
  assert.equal(status, 200, text);
  return Object.fromEntries(
    body.slots.map(({ start, seats_left }: { start: string; seats_left: number }) => [start, seats_left]),
  );
}

describe('GET /b/{token}/slots', () => {
  test("200: what the page offers, with the booking's own time and not with another's", async () => {
    const { desk, event_type, book } = await newGuests(app);
    const { token } = (await book({ start: at('10:00') })).body;
    const none = (await desk.done('GET', `/event-types/${event_type.id}/slots?${DAY}`)).slots;
    await book({ start: at('14:00') });
    const reply = await slotsOf(token);
    assert.match(reply.headers.get('server-timing')!, /^db;dur=[\d.]+, slots;dur=[\d.]+$/);
    const starts = Object.keys(await offered(token));
    assert.deepEqual(
      starts,
      [...none.map(({ start }: { start: string }) => start), at('10:00')]
        .filter((start) => start !== at('14:00'))
        .toSorted(),
    );
    const moved = await app.anonymous.post(`/scheduler/b/${token}/reschedule`, { start: starts.at(-1) });
    assert.equal(moved.status, 200, moved.text);
  });

  test('keeps the length, whatever the type offers by now', async () => {
    const { desk, event_type, book } = await newGuests(app, { duration_options: [60] });
    const { token } = (await book({ start: at('10:00'), duration_minutes: 60 })).body;
    await desk.done('PATCH', `/event-types/${event_type.id}`, { duration_options: [] });
    const { body } = await slotsOf(token);
    assert.deepEqual([body.duration_minutes, body.slots.at(-1).end], [60, at('18:00')]);
    assert.equal((await slotsOf(token, `${DAY}&duration_minutes=60`)).status, 200);
    const other = await slotsOf(token, `${DAY}&duration_minutes=30`);
    assert.deepEqual([other.status, other.body.errors[0].path], [422, 'duration_minutes']);
  });

  test('a session does not count for who is alone in it, and does for who is not', async () => {
    const { book } = await newGuests(app, { seats_per_slot: 2, slot_interval_minutes: 15 });
    const { token } = (await book({ start: at('10:00') })).body;
    const alone = await offered(token);
    assert.deepEqual([alone[at('10:00')], alone[at('10:15')]], [2, 2]);
    await book({ start: at('10:00') });
    const shared = await offered(token);
    assert.deepEqual(
      [shared[at('10:00')], shared[at('10:15')], shared[at('10:30')]],
      [undefined, undefined, 2],
    );
  });

  test('409 where the guest may not move it; 404 for another link', async () => {
    const { book } = await newGuests(app, { reschedule_cutoff_minutes: 4_320 });
    const { token } = (await book({ start: at('10:00') })).body;
    const late = await slotsOf(token);
    assert.deepEqual(
      [late.status, late.body.code, late.body.cutoff_at],
      [409, 'cutoff_passed', '2026-11-29T01:00:00.000Z'],
    );
    await app.anonymous.post(`/scheduler/b/${token}/cancel`, {});
    assert.equal((await slotsOf(token)).body.code, 'invalid_transition');
    assert.equal((await slotsOf('A'.repeat(43))).status, 404);
  });
});
