import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assignedInMonth } from '../../../shared/scheduler/bookings/assignment.ts';
import { startApp } from '../../support/app.ts';
import { newDesk } from '../../support/scheduler.ts';

/** A Thursday, 09:00 in Japan. */
const START = Date.parse('2026-11-26T00:00:00.000Z');
const MINUTE = 60_000;
let now = START;
const app = await startApp({ now: () => new Date(now) });

const guestOf = (number: number) => ({ name: `お客様${number}`, email: `guest-${number}@example.com` });

/** Tomorrow from 09:00 in Japan, so many quarters of an hour later: starts of bookings of half an hour overlap in part. */
const startAt = (quarter: number) => new Date(START + 24 * 60 * MINUTE + quarter * 15 * MINUTE).toISOString();

type Kind = 'single' | 'manual' | 'unblocking' | 'turns' | 'seats';

/** What somebody does. `which` chooses among the records that are there by then. */
type Step =
  | { does: 'book'; kind: Kind; quarter: number; guest: number; staff: boolean }
  | { does: 'hold'; quarter: number }
  | { does: 'propose'; quarters: number[]; both: boolean; tentative: boolean }
  | { does: 'accept' | 'decline' | 'withdraw'; which: number }
  | { does: 'cancel' | 'confirm' | 'refuse'; which: number }
  | { does: 'move'; which: number; quarter: number; staff: boolean }
  | { does: 'wait'; minutes: number };

const quarter = fc.nat({ max: 11 });
const which = fc.nat({ max: 30 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('book' as const),
      kind: fc.constantFrom<Kind>('single', 'manual', 'unblocking', 'turns', 'seats'),
      quarter,
      guest: fc.nat({ max: 3 }),
      staff: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('hold' as const), quarter }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('propose' as const),
      quarters: fc.uniqueArray(quarter, { minLength: 1, maxLength: 4 }),
      both: fc.boolean(),
      tentative: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constantFrom('accept' as const, 'decline' as const, 'withdraw' as const),
      which,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constantFrom('cancel' as const, 'confirm' as const, 'refuse' as const),
      which,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('move' as const), which, quarter, staff: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('wait' as const), minutes: fc.nat({ max: 90 }) }) },
);

/** An organization with two hosts and a type of each kind. */
async function newOffice() {
  const owner = await newDesk(app);
  const colleague = await owner.colleague();
  const fields = { min_notice_minutes: 0, slot_interval_minutes: 15 };
  const members = [{ user_id: owner.user_id }, { user_id: colleague.user_id }];
  const manual = { mode: 'manual', expires_after_minutes: 60 };
  const kinds: Record<Kind, object> = {
    single: { ...fields, title: '単独', buffer_after_minutes: 15 },
    manual: { ...fields, title: '確認', confirmation: manual },
    unblocking: { ...fields, title: '仮', confirmation: { ...manual, pending_blocks: false } },
    turns: { ...fields, title: '順番', assignment: 'round_robin', members },
    seats: { ...fields, title: '説明会', seats_per_slot: 2 },
  };
  const types = {} as Record<Kind, { id: string; slug: string }>;
  for (const [kind, body] of Object.entries(kinds)) types[kind as Kind] = await owner.eventType(body);
  const { slug } = (await owner.get('/organization')).body.organization;
  return {
    owner,
    colleague,
    types,
    page: `/scheduler/p/${slug}`,
    bookings: [] as Made[],
    proposals: [] as Proposed[],
  };
}

type Made = { id: string; guest: string | null };
type Proposed = { id: string; path: string; start: string };
type Office = Awaited<ReturnType<typeof newOffice>>;

const among = <Item>(items: readonly Item[], place: number): Item | undefined => items[place % items.length];

/** Does a step, and answers the status that it had. */
async function perform(office: Office, step: Step): Promise<number> {
  const { owner, colleague, types, page, bookings, proposals } = office;
  switch (step.does) {
    case 'wait':
      now += step.minutes * MINUTE;
      return 200;
    case 'book': {
      const body = { start: startAt(step.quarter), guest: guestOf(step.guest) };
      const { id, slug } = types[step.kind];
      const { status, body: made } = step.staff
        ? await owner.post('/scheduler/bookings', { ...body, event_type_id: id })
        : await app.anonymous.post(`${page}/${slug}/book`, body);
      if (status === 201)
        bookings.push({ id: made.booking.id, guest: made.token ? `/scheduler/b/${made.token}` : null });
      return status;
    }
    case 'hold':
      return (await app.anonymous.post(`${page}/${types.single.slug}/hold`, { start: startAt(step.quarter) }))
        .status;
    case 'propose': {
      const candidates = step.quarters.map((one) => ({ start: startAt(one) }));
      const user_ids = step.both ? [owner.user_id, colleague.user_id] : [owner.user_id];
      const { status, body } = await owner.post('/scheduler/proposals', {
        title: '打ち合わせ',
        duration_minutes: 30,
        user_ids,
        candidates,
        guest: guestOf(9),
        hold: step.tentative ? 'tentative' : 'none',
      });
      if (status === 201) {
        const path = `/scheduler${new URL(body.guest_url).pathname}`;
        proposals.push({ id: body.proposal.id, path, start: candidates[0]!.start });
      }
      return status;
    }
    case 'accept':
    case 'decline':
    case 'withdraw': {
      const proposal = among(proposals, step.which);
      if (!proposal) return 200;
      if (step.does === 'withdraw')
        return (await owner.post(`/scheduler/proposals/${proposal.id}/withdraw`)).status;
      const body = step.does === 'accept' ? { start: proposal.start } : {};
      return (await app.anonymous.post(`${proposal.path}/${step.does}`, body)).status;
    }
    case 'cancel':
    case 'confirm':
    case 'refuse': {
      const booking = among(bookings, step.which);
      const action = step.does === 'refuse' ? 'decline' : step.does;
      if (!booking) return 200;
      const path =
        action === 'cancel' && booking.guest !== null ? booking.guest : `/scheduler/bookings/${booking.id}`;
      return (await owner.post(`${path}/${action}`, action === 'confirm' ? undefined : {})).status;
    }
    case 'move': {
      const booking = among(bookings, step.which);
      if (!booking) return 200;
      const byStaff = step.staff || booking.guest === null;
      const path = byStaff ? `/scheduler/bookings/${booking.id}` : booking.guest;
      return (await owner.post(`${path}/reschedule`, { start: startAt(step.quarter) })).status;
    }
  }
}

type Occupancy = { user_id: string; record_id: string; start: string; end: string };

/** What must hold whatever happened. */
async function assertConsistent(office: Office): Promise<void> {
  const { owner } = office;
  const at = new Date(now).toISOString();
  const read = <Row extends object>(text: string) =>
    app.database.withConnection(owner.organization_id, ({ query }) =>
      query<Row>(text, [owner.organization_id]),
    );
  const occupied = await read<Occupancy>(
    'SELECT user_id, record_id, "start", "end" FROM scheduler_occupancies WHERE organization_id = $1 ORDER BY user_id, "start"',
  );
  for (const [place, one] of occupied.entries()) {
    const next = occupied[place + 1];
    if (next?.user_id === one.user_id)
      assert.ok(one.end <= next.start, `${one.record_id} overlaps ${next.record_id}`);
  }

  const bookings = await read<{
    id: string;
    start: string;
    end: string;
    user_ids: string[];
    pending_expires_at: string | null;
  }>(
    `SELECT id, "start", "end", user_ids, pending_expires_at FROM scheduler_bookings
      WHERE organization_id = $1 AND is_counted AND session_id IS NULL`,
  );
  const living = bookings.filter(
    ({ pending_expires_at }) => pending_expires_at === null || pending_expires_at > at,
  );
  for (const { id, start, end, user_ids } of living) {
    const own = occupied.filter(({ record_id }) => record_id === id);
    assert.deepEqual(
      own.map((one) => [one.user_id, one.start, one.end]).toSorted(),
      user_ids.map((user_id) => [user_id, start, end]).toSorted(),
      `${id} takes the time of its hosts`,
    );
  }
  const free = await read<{ id: string }>(
    `SELECT id FROM scheduler_bookings WHERE organization_id = $1 AND NOT is_counted`,
  );
  for (const { id } of free)
    assert.ok(!occupied.some(({ record_id }) => record_id === id), `${id} takes no time`);

  const sessions = await read<{ id: string; taken: number; living: number; status: string }>(
    `SELECT session.id, session.taken, session.status, count(booking.id)::int AS living FROM scheduler_sessions AS session
       LEFT JOIN scheduler_bookings AS booking ON booking.organization_id = session.organization_id
        AND booking.session_id = session.id AND booking.status IN ('pending', 'confirmed')
      WHERE session.organization_id = $1 GROUP BY session.id, session.taken, session.status`,
  );
  for (const { id, taken, living, status } of sessions) {
    assert.equal(taken, living, `${id} counts its seats`);
    assert.equal(
      occupied.some(({ record_id }) => record_id === id),
      status === 'confirmed',
      `${id} is ${status}`,
    );
  }

  await assertTurns(office, at);

  const { dashboard } = await owner.done('GET', '/dashboard');
  assert.equal(dashboard.pending, (await owner.done('GET', '/bookings?status=pending')).total);
  assert.equal(dashboard.proposals_open, (await owner.done('GET', '/proposals?status=open')).total);
  const week =
    '/bookings?status=confirmed,completed&start_from=2026-11-25T15:00:00Z&start_to=2026-12-02T15:00:00Z';
  assert.equal(dashboard.next_7_days, (await owner.done('GET', week)).total);
}

/** Whose turn it is is counted by the time that hosts are taken; it is as if the bookings themselves were counted. */
async function assertTurns({ owner, colleague, types }: Office, at: string): Promise<void> {
  const user_ids = [owner.user_id, colleague.user_id];
  await app.database.withConnection(owner.organization_id, async (connection) => {
    for (const { id } of Object.values(types)) {
      const plain = await connection.query<object>(
        `SELECT host.user_id, count(DISTINCT coalesce(booking.session_id, booking.id))::integer AS bookings,
                max(coalesce(session.created_at, booking.assigned_at)) AS last_assigned_at
           FROM scheduler_bookings AS booking
           JOIN scheduler_booking_hosts AS host
             ON host.organization_id = booking.organization_id AND host.booking_id = booking.id
           LEFT JOIN scheduler_sessions AS session
             ON session.organization_id = booking.organization_id AND session.id = booking.session_id
          WHERE booking.organization_id = $1 AND booking.event_type_id = $2 AND booking.is_counted
            AND (booking.pending_expires_at IS NULL OR booking.pending_expires_at > $3)
          GROUP BY host.user_id`,
        [owner.organization_id, id, at],
      );
      const { organization_id } = owner;
      const event_type = { id, members: [] };
      const asked = { event_type, start: START, time_zone: 'Asia/Tokyo', without: [], user_ids };
      const reader = { connection, organization_id, now: new Date(now) };
      assert.deepEqual((await assignedInMonth(reader, asked)).toSorted(byHost), plain.toSorted(byHost));
    }
  });
}

function byHost(one: object, other: object): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}

test('whatever happens, also at once: nobody is booked twice, and all that is counted is there', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 12 }),
      async (rounds) => {
        now = START;
        const office = await newOffice();
        for (const together of rounds) {
          const statuses = await Promise.all(together.map((one) => perform(office, one)));
          for (const [place, status] of statuses.entries()) {
            assert.ok(
              [200, 201, 404, 409, 422, 429].includes(status),
              `${JSON.stringify(together[place])}: ${status}`,
            );
          }
        }
        await assertConsistent(office);
      },
    ),
    { numRuns: Number(process.env['HISTORIES'] ?? 12) },
  );
});
