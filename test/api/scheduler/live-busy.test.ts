import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { busyLive, type LiveQuestion } from '../../../shared/scheduler/calendars/live/ask.ts';
import { startApp } from '../../support/app.ts';
import { googleFake } from '../../support/google.ts';
import { liveCalendars } from '../../support/live-calendars.ts';
import { newMember, newOwner } from '../../support/people.ts';
import { deskOf } from '../../support/scheduler.ts';

const google = await googleFake();
const app = await startApp({ environment: google.environment });
const live = { database: app.database, services: app.context.outside, clock: app.context.now };
const { withCalendar, put, grownOld } = liveCalendars(app, google);

/** In the middle of the month after next: to come, and all turns are taken in one month. */
const NOW = new Date();
const START = Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth() + 2, 12, 1);
const HOUR = 3_600_000;
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** Whoever can be booked around the clock. */
const AROUND = { time_zone: 'UTC', weekly: [{ days: DAYS, start: '00:00', end: '24:00' }] };

const host = async () => withCalendar(await newOwner(app));

function ask(
  { organization_id, user_id }: { organization_id: string; user_id: string },
  others: Partial<LiveQuestion> = {},
) {
  const members = [{ user_id, role: 'required' as const }];
  return busyLive(live, { organization_id, members, from: START, to: START + HOUR, ...others });
}

describe('asking calendars of Google live', () => {
  test('tells what was not read yet, less the entries of ours', async () => {
    const owner = await host();
    put(owner.calendar, 'new', START, START + HOUR / 2);
    put(owner.calendar, 'ours', START + HOUR / 2, START + HOUR);
    await app.database.withConnection('*', ({ query }) =>
      query(
        `INSERT INTO scheduler_calendar_entries (organization_id, record_id, user_id, connection_id, calendar_id, external_key,
           is_wanted, revision, status, "start", "end", updated_at)
         SELECT organization_id, 'book_x', user_id, id, $2, 'ours', true, 0, 'written', $3, $4, now()
           FROM scheduler_connections WHERE organization_id = $1`,
        [
          owner.organization_id,
          owner.calendar,
          new Date(START + HOUR / 2).toISOString(),
          new Date(START + HOUR).toISOString(),
        ],
      ),
    );
    assert.deepEqual((await ask(owner)).get(owner.user_id), {
      known: 'live',
      busy: [{ start: START, end: START + HOUR / 2 }],
    });
  });

  test('that do not answer count by rows of the last five minutes, else nothing is known, unless that is allowed', async () => {
    const owner = await host();
    google.verdict = ({ path }) => (path === '/freeBusy' ? 'silence' : undefined);
    const knownOf = async () => (await ask(owner)).get(owner.user_id)?.known;
    assert.equal(await knownOf(), 'stored');
    google.verdict = ({ path }) => (path === '/freeBusy' ? { status: 503, body: {} } : undefined);
    await grownOld();
    assert.equal(await knownOf(), 'unknown');
    const changed = await owner.patch('/scheduler/settings', { calendar_failure: 'open' });
    assert.equal(changed.status, 200, changed.text);
    assert.equal(await knownOf(), 'stored');
  });

  test('that wait for a token are given up with it, and so is the call for it', async () => {
    const { organization_id, user_id } = await host();
    const given_up = Promise.withResolvers<void>();
    const { services, database } = live;
    const call: typeof services.call = (asked) =>
      new Promise((_, refuse) => {
        assert.ok(asked.url.endsWith('/token'), asked.url);
        asked.signal!.addEventListener('abort', () => {
          refuse(asked.signal!.reason);
          given_up.resolve();
        });
      });
    const later = { database, services: { ...services, call }, clock: () => new Date(Date.now() + 2 * HOUR) };
    const members = [{ user_id, role: 'required' as const }];
    const question = { organization_id, members, from: START, to: START + HOUR };
    assert.deepEqual((await busyLive(later, question)).get(user_id), { known: 'unknown' });
    await given_up.promise;
  });

  test('are asked for the required hosts and the first three rotating ones', async () => {
    const owner = await host();
    const rotating = [];
    for (let count = 0; count < 4; count += 1) {
      rotating.push(await withCalendar(await newMember(app, owner, 'member')));
    }
    await grownOld();
    const members = [owner, ...rotating].map(({ user_id }, place) => ({
      user_id,
      role: place === 0 ? ('required' as const) : ('rotating' as const),
    }));
    const answers = await ask(owner, { members });
    assert.deepEqual(
      members.map(({ user_id }) => answers.get(user_id)!.known),
      ['live', 'live', 'live', 'live', 'unknown'],
    );
  });

  test('asks nobody who has none', async () => {
    const owner = await newOwner(app);
    google.calls.length = 0;
    assert.equal((await ask(owner)).size, 0);
    assert.deepEqual(google.calls, []);
  });
});

describe('booking', () => {
  test('a start that Google says is busy is taken; while nothing is known of a host it is unavailable', async () => {
    const owner = await host();
    const desk = deskOf(app, owner, owner);
    await desk.availability(AROUND);
    const { id } = await desk.eventType({ min_notice_minutes: 0, booking_window: { type: 'none' } });
    const book = async (start: number) => {
      const guest = { name: '佐藤 花子', email: `g${start}@example.com` };
      const body = { event_type_id: id, start: new Date(start).toISOString(), guest, notify: false };
      const reply = await desk.post('/scheduler/bookings', body);
      return [reply.status, reply.body.code ?? reply.body.booking.id] as const;
    };
    put(owner.calendar, 'new', START, START + HOUR);
    assert.deepEqual(await book(START), [409, 'slot_taken']);
    const [status, booking] = await book(START + HOUR);
    assert.equal(status, 201, booking);
    const moved = await desk.post(`/scheduler/bookings/${booking}/reschedule`, {
      start: new Date(START + HOUR / 2).toISOString(),
    });
    assert.deepEqual([moved.status, moved.body.code], [409, 'slot_taken']);
    google.verdict = ({ path }) => (path === '/freeBusy' ? { status: 503, body: {} } : undefined);
    await grownOld();
    assert.deepEqual(await book(START + 3 * HOUR), [503, 'calendar_unavailable']);
    await owner.patch('/scheduler/settings', { calendar_failure: 'open' });
    assert.equal((await book(START + 3 * HOUR))[0], 201);
  });

  test('a proposed time that nobody holds is asked about when it is accepted; held ones are not', async () => {
    const owner = await host();
    const desk = deskOf(app, owner, owner);
    const propose = async (start: number, hold: string) => {
      const { guest_url } = await desk.done('POST', '/proposals', {
        title: '打ち合わせ',
        duration_minutes: 60,
        user_ids: [owner.user_id],
        candidates: [{ start: new Date(start).toISOString() }],
        guest: { name: '佐藤 花子', email: 'hanako@example.com' },
        hold,
      });
      const path = `/scheduler${new URL(guest_url).pathname}/accept`;
      return async () => {
        const { status, body } = await app.anonymous.post(path, { start: new Date(start).toISOString() });
        return [status, body.code];
      };
    };
    const [open, held] = [await propose(START, 'none'), await propose(START + 2 * HOUR, 'tentative')];
    put(owner.calendar, 'new', START, START + 3 * HOUR);
    assert.deepEqual(await open(), [409, 'slot_taken']);
    assert.deepEqual(await held(), [201, undefined]);
    google.verdict = ({ path }) => (path === '/freeBusy' ? { status: 503, body: {} } : undefined);
    await grownOld();
    assert.deepEqual(await open(), [503, 'calendar_unavailable']);
  });
});

describe('of many members who take turns', () => {
  /** An event type of four whose calendars were read too long ago; the last one has no bookings of it yet. */
  async function team() {
    const owner = await newOwner(app);
    const people = [];
    for (let count = 0; count < 4; count += 1) {
      const person = await withCalendar(await newMember(app, owner, 'member'));
      const { organization_id } = owner;
      await deskOf(app, person, { ...person, organization_id }).availability(AROUND);
      people.push(person);
    }
    const members = people.map(({ user_id }) => ({ user_id }));
    const desk = deskOf(app, owner, owner);
    const fields = { slug: 'team', assignment: 'round_robin', members, min_notice_minutes: 0 };
    const { id } = await desk.eventType({ ...fields, booking_window: { type: 'none' } });
    await grownOld();
    const { slug } = (await owner.get('/organization')).body.organization;
    const page = `/scheduler/p/${slug}/team`;
    const guestOf = (hour: number) => ({ name: '佐藤 花子', email: `g${hour}@example.com` });
    const at = (hour: number) => new Date(START + hour * HOUR).toISOString();
    const book = async (hour: number, more: object = {}) => {
      const body = { start: at(hour), guest: guestOf(hour), ...more };
      const reply = await app.anonymous.post(`${page}/book`, body);
      assert.equal(reply.status, 201, reply.text);
      const { booking } = await desk.done('GET', `/bookings/${reply.body.booking.id}`);
      return { id: booking.id, host: booking.hosts[0].user_id, token: reply.body.token };
    };
    return { owner, desk, id, page, user_ids: people.map(({ user_id }) => user_id), guestOf, at, book };
  }

  test('those whose turn it is are asked, and all of them get one in turn', async () => {
    const { user_ids, book } = await team();
    google.calls.length = 0;
    const hosts = [];
    for (let hour = 0; hour < 4; hour += 1) hosts.push((await book(hour)).host);
    assert.deepEqual(hosts.toSorted(), user_ids.toSorted());
    assert.equal(google.calls.filter(({ path }) => path === '/freeBusy').length, 4 * 3);
  });

  test('the one whom staff choose is asked; who hosts a booking or a hold is asked before others', async () => {
    const { desk, id, page, user_ids, guestOf, at, book } = await team();
    const last = user_ids.at(-1)!;
    const chosen = { event_type_id: id, start: at(0), guest: guestOf(0), user_ids: [last] };
    const { booking } = await desk.done('POST', '/bookings', chosen);
    const moved = await desk.done('POST', `/bookings/${booking.id}/reschedule`, { start: at(5) });
    assert.deepEqual(moved.booking.hosts[0].user_id, last);
    for (let hour = 10; hour < 13; hour += 1) await book(hour);
    const held = await app.anonymous.post(`${page}/hold`, { start: at(20) });
    const [{ user_ids: holding }] = (await app.database.withConnection('*', ({ query }) =>
      query<{ user_ids: string[] }>('SELECT user_ids FROM scheduler_holds ORDER BY id DESC LIMIT 1'),
    )) as [{ user_ids: string[] }];
    await desk.done('POST', '/bookings', { ...chosen, start: at(30), user_ids: holding });
    assert.equal((await book(20, { hold_token: held.body.hold_token })).host, holding[0]);
  });
});
