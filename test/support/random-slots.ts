import fc from 'fast-check';
import type {
  Availability,
  Block,
  ClockInterval,
  EventRules,
  Host,
  Question,
  Session,
} from '../../shared/scheduler/slots/types.ts';
import { EVERY_DAY } from './slot-questions.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A question, and the range of instants that is asked about. */
export type SlotCase = { question: Question; from: number; to: number };

/** A time zone on dates on which its clock changes, or which are hard otherwise. */
export type Place = { time_zone: string; dates: readonly string[] };

/** Changes at midnight, of half an hour, of two hours, of a whole day (Apia) are among them. */
export const PLACES: readonly Place[] = [
  { time_zone: 'Asia/Tokyo', dates: ['2027-01-01', '2027-12-31'] },
  { time_zone: 'Asia/Kathmandu', dates: ['2027-05-05'] },
  { time_zone: 'Europe/Paris', dates: ['2027-03-28', '2027-10-31'] },
  { time_zone: 'Europe/London', dates: ['2028-03-26', '2028-10-29'] },
  { time_zone: 'America/New_York', dates: ['2027-03-14', '2027-11-07'] },
  { time_zone: 'America/Santiago', dates: ['2027-04-04', '2027-09-05'] },
  { time_zone: 'America/Havana', dates: ['2027-03-14', '2027-11-07'] },
  { time_zone: 'Asia/Beirut', dates: ['2027-03-28', '2027-10-31'] },
  { time_zone: 'Africa/Cairo', dates: ['2027-04-30', '2027-10-29'] },
  { time_zone: 'Atlantic/Azores', dates: ['2027-03-28', '2027-10-31'] },
  { time_zone: 'Australia/Lord_Howe', dates: ['2027-04-04', '2027-10-03'] },
  { time_zone: 'Antarctica/Troll', dates: ['2027-03-28', '2027-10-31'] },
  { time_zone: 'Pacific/Chatham', dates: ['2027-04-04', '2027-09-26'] },
  { time_zone: 'Pacific/Apia', dates: ['2011-12-30'] },
];

/** Questions about some minutes, hours or days around the dates of places; members may live at another one. */
export function slotCase(places: readonly Place[]): fc.Arbitrary<SlotCase> {
  const dates = places.flatMap(({ time_zone, dates }) => dates.map((date) => ({ time_zone, date })));
  return fc
    .constantFrom(...dates)
    .chain(({ time_zone, date }) => caseAt(time_zone, Date.parse(date), places));
}

function caseAt(time_zone: string, midnight: number, places: readonly Place[]): fc.Arbitrary<SlotCase> {
  const near = fc.integer({ min: -1440, max: 1440 }).map((minutes) => midnight + minutes * MINUTE);
  const quarter = fc.integer({ min: -96, max: 96 }).map((quarters) => midnight + quarters * 15 * MINUTE);
  return fc
    .record({
      now: fc.tuple(
        fc.oneof(fc.constant(-3 * 1440), fc.integer({ min: -2 * 1440, max: 720 })),
        fc.constantFrom(0, 0, 1_000, 30_500),
      ),
      from: near,
      length: fc.oneof(fc.constantFrom(1, 60, 1_440), fc.integer({ min: 1, max: 1_800 })),
      event_type: eventType(time_zone, midnight),
      hosts: fc.array(host(time_zone, midnight, places), { minLength: 1, maxLength: 3 }),
      holidays: fc.subarray([-2, -1, 0, 1, 2].map((day) => dateAt(midnight + day * DAY))),
      week_starts_on: fc.constantFrom('sunday', 'monday'),
      counted: fc.array(fc.record({ start: near, minutes: fc.constantFrom(15, 30, 60) }), { maxLength: 4 }),
      sessions: fc.uniqueArray(fc.record({ start: quarter, length: fc.nat(3), seats_left: fc.nat(2) }), {
        maxLength: 4,
        selector: ({ start }) => start,
      }),
      seconds: fc.constantFrom(0, 0, 29_000),
    })
    .map(({ now: [minutes, milliseconds], from, length, counted, sessions, hosts, seconds, ...rest }) => {
      const all = hosts.some(({ role }) => role !== 'optional') ? hosts : [required(hosts[0]!)];
      const question = {
        ...rest,
        now: midnight + minutes * MINUTE + milliseconds,
        hosts: all,
        counted: counted.map((one) => ({ start: one.start, end: one.start + one.minutes * MINUTE })),
        sessions: sessions.map((one) => sessionOf(one, rest.event_type)),
      };
      return { question, from: from + seconds, to: from + seconds + length * MINUTE };
    });
}

function eventType(time_zone: string, midnight: number): fc.Arbitrary<EventRules> {
  const few = fc.constantFrom(null, null, null, null, null, 1, 2, 3);
  const buffer = fc.constantFrom(0, 0, 5, 10, 17);
  const window = fc.oneof(
    fc.record({ type: fc.constant('none' as const) }),
    fc.record({ type: fc.constant('rolling_days' as const), days: fc.constant(60) }),
    fc.record({
      type: fc.constantFrom('rolling_days' as const, 'business_days' as const),
      days: fc.integer({ min: 0, max: 6 }),
    }),
    fc.record({
      type: fc.constant('range' as const),
      from: fc.constantFrom(-3, -1, 0).map((day) => dateAt(midnight + day * DAY)),
      to: fc.constantFrom(0, 1, 3).map((day) => dateAt(midnight + day * DAY)),
    }),
  );
  return fc.record({
    time_zone: fc.constant(time_zone),
    duration_minutes: fc.oneof(fc.constantFrom(15, 25, 30, 40, 60, 90), fc.integer({ min: 1, max: 180 })),
    slot_interval_minutes: fc.constantFrom(null, null, 7, 10, 15, 20, 30, 45, 60, 90, 120),
    buffer_before_minutes: buffer,
    buffer_after_minutes: buffer,
    min_notice_minutes: fc.constantFrom(0, 0, 40, 120, 1_441),
    booking_window: window,
    limits: fc.record({
      per_day: few,
      per_week: few,
      per_month: few,
      minutes_per_day: fc.constantFrom(null, null, 60, 90),
    }),
    seats_per_slot: fc.constantFrom(1, 1, 3),
  });
}

function host(time_zone: string, midnight: number, places: readonly Place[]): fc.Arbitrary<Host> {
  const zone = fc.oneof(
    { weight: 2, arbitrary: fc.constant(time_zone) },
    { weight: 1, arbitrary: fc.constantFrom(...places.map((place) => place.time_zone)) },
  );
  return fc
    .record({
      time_zone: zone,
      hours: availability(midnight),
      role: fc.constantFrom('required', 'required', 'rotating', 'rotating', 'optional') as fc.Arbitrary<
        Host['role']
      >,
      blocks: fc.array(block(midnight), { maxLength: 5 }),
      calendar_works: fc.constantFrom(true, true, true, true, false),
    })
    .map(({ hours, ...rest }) => ({ ...hours, ...rest }));
}

function availability(midnight: number): fc.Arbitrary<Omit<Availability, 'time_zone'>> {
  const windows = clockInterval.chain((interval) =>
    fc.subarray([...EVERY_DAY], { minLength: 3 }).map((days) => ({ days, ...interval })),
  );
  const override = fc.record({
    date: fc.integer({ min: -2, max: 2 }).map((day) => dateAt(midnight + day * DAY)),
    intervals: fc.array(clockInterval, { maxLength: 2 }),
  });
  return fc.record({
    weekly: fc.oneof(
      fc.array(windows, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 1_379 }).map((minute) => nights(clock(minute), clock(minute + 60))),
    ),
    overrides: fc.uniqueArray(override, { maxLength: 2, selector: ({ date }) => date }),
    closed_on_holidays: fc.boolean(),
  });
}

/** Every night whole, in two windows that touch at midnight. */
function nights(until: string, from: string): Availability['weekly'] {
  return [
    { days: EVERY_DAY, start: from, end: '24:00' },
    { days: EVERY_DAY, start: '00:00', end: until },
  ];
}

/** Often about the hours in which clocks change, often long, now and then across midnight. */
const clockInterval: fc.Arbitrary<ClockInterval> = fc
  .tuple(
    fc.oneof(fc.constantFrom(0, 60, 90, 120, 150, 180, 540), fc.nat(1_439)),
    fc.oneof(fc.constantFrom(60, 90, 120, 180, 240, 1_440), fc.nat(1_440)),
  )
  .filter(([start, end]) => start !== end)
  .map(([start, end]) => ({ start: clock(start), end: clock(end) }));

function block(midnight: number): fc.Arbitrary<Block> {
  const buffer = fc.constantFrom(0, 0, 10, 25);
  return fc
    .record({
      kind: fc.constantFrom('booking', 'hold', 'external', 'block', 'leave') as fc.Arbitrary<Block['kind']>,
      id: fc.constantFrom('a', 'b', null),
      start: fc.tuple(fc.integer({ min: -1_440, max: 1_440 }), fc.constantFrom(0, 0, 0, 1, 59)),
      seconds: fc.oneof(fc.constantFrom(0, 0, 1, 900, 1_800, 3_600), fc.nat(20_000)),
      buffer_before_minutes: buffer,
      buffer_after_minutes: buffer,
    })
    .map(({ start: [minutes, second], seconds, ...rest }) => {
      const start = midnight + minutes * MINUTE + second * 1_000;
      return { ...rest, start, end: start + seconds * 1_000 };
    });
}

/** Most sessions have the wanted length. */
function sessionOf(
  { start, length, seats_left }: { start: number; length: number; seats_left: number },
  { duration_minutes }: EventRules,
): Session {
  const minutes = length === 0 ? duration_minutes + 5 : duration_minutes;
  return { start, end: start + minutes * MINUTE, seats_left };
}

function required(host: Host): Host {
  return { ...host, role: 'required' };
}

function dateAt(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

function clock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}
