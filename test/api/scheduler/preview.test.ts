import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { freshDatabase } from '../../support/database.ts';
import { faultsIn } from '../../support/facts.ts';
import { newDesk } from '../../support/scheduler.ts';

/** Told of each statement. */
let hear = (_text: string): void => undefined;
const database = await freshDatabase({ on_statement: (text) => hear(text) });
after(() => database.drop());
const app = await startApp({ database });
const desk = await newDesk(app);

const PATH = '/scheduler/slots/preview';

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const host = (start: string, end: string, more: object = {}) => ({
  time_zone: 'Asia/Tokyo',
  weekly: [{ days, start, end }],
  ...more,
});

const asked = (event_type: object, hosts: object[], more: object = {}) => ({
  now: '2027-01-31T00:00:00Z',
  from: '2027-02-01',
  to: '2027-02-02',
  event_type: { duration_minutes: 40, min_notice_minutes: 0, ...event_type },
  hosts,
  ...more,
});

// biome-ignore lint/suspicious/noExplicitAny: an answer is read as JSON.
const clockOf = ({ local_start }: any) => local_start.slice(11, 16);

describe('a preview', () => {
  test('answers what the rules say, in the zone of the first host', async () => {
    const busy = [{ start: '2027-02-01T10:50:00+09:00', end: '2027-02-01T11:05:00+09:00' }];
    for (const [body, starts] of [
      [asked({}, [host('10:00', '13:00')]), ['10:00', '10:40', '11:20', '12:00']],
      [asked({}, [host('10:00', '13:00', { busy })]), ['10:00', '11:20', '12:00']],
      [asked({}, [host('10:00', '13:00'), host('10:30', '12:30')]), ['10:40', '11:20']],
    ] as const) {
      const reply = await desk.post(PATH, body);
      assert.equal(reply.status, 200, reply.text);
      assert.deepEqual(reply.body.slots.map(clockOf), starts);
      assert.equal(reply.body.candidates, undefined);
    }
  });

  test('counts a booking once, whoever hosts it, and tells why a start is missing', async () => {
    const span = { start: '2027-02-01T10:00:00+09:00', end: '2027-02-01T10:40:00+09:00' };
    const busy = [{ ...span, booking: 'first' }];
    const hosts = [host('10:00', '13:00', { busy }), host('10:00', '13:00', { busy })];
    const limits = { per_day: 2 };
    const reply = await desk.post(PATH, asked({ limits }, hosts, { explain: true }));
    assert.deepEqual(reply.body.slots.map(clockOf), ['10:40', '11:20', '12:00']);
    const taken = reply.body.candidates.find(
      ({ start }: { start: string }) => start === '2027-02-01T01:00:00.000Z',
    );
    assert.deepEqual(taken, {
      start: '2027-02-01T01:00:00.000Z',
      ok: false,
      reason: 'busy',
      host: 0,
      blocked_by: { kind: 'booking', id: 'first' },
    });
    const full = await desk.post(PATH, asked({ limits: { per_day: 1 } }, hosts));
    assert.deepEqual(full.body.slots, []);
  });

  test('422 with the first fault alone where a hundred thousand blocks are wrong', async () => {
    const busy = Array.from({ length: 100_000 }, () => ({}));
    const reply = await desk.post(PATH, asked({}, [host('10:00', '13:00', { busy })]));
    assert.deepEqual(
      [reply.status, faultsIn(reply.body)],
      [422, ['/hosts/0/busy/0/start required']],
      reply.text,
    );
  });

  test("has the organization's holidays and first day of the week", async () => {
    const body = asked({}, [host('10:00', '11:00', { closed_on_holidays: true })], {
      from: '2027-02-10',
      to: '2027-02-13',
    });
    const dates = async () =>
      // biome-ignore lint/suspicious/noExplicitAny: an answer is read as JSON.
      (await desk.post(PATH, body)).body.slots.map(({ local_start }: any) => local_start.slice(0, 10));
    assert.deepEqual(await dates(), ['2027-02-10', '2027-02-12']);
    const made = await desk.post('/attendance/settings/holidays', { date: '2027-02-12', name: '創立記念日' });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(await dates(), ['2027-02-10']);
    const counting = await desk.post('/attendance/settings/holidays', {
      date: '2027-02-11',
      name: '建国記念の日',
      counts_as: 'workday',
    });
    assert.equal(counting.status, 201, counting.text);
    assert.deepEqual(await dates(), ['2027-02-10', '2027-02-11']);
  });

  test('takes 10,000 blocks in a body of more than a mebibyte, and keeps nothing', async () => {
    const start = Date.parse('2027-02-01T00:00:00Z');
    const busy = Array.from({ length: 10_000 }, (_, index) => ({
      start: new Date(start + index * 60_000).toISOString(),
      end: new Date(start + index * 60_000 + 30_000).toISOString(),
      buffer_before_minutes: 0,
      buffer_after_minutes: 0,
    }));
    const body = asked({}, [host('10:00', '13:00', { busy })], { explain: true });
    assert.ok(JSON.stringify(body).length > 1024 ** 2);
    const reply = await desk.post(PATH, body);
    assert.deepEqual([reply.status, reply.body.slots], [200, []]);
  });
});

test('others are answered while a preview of 200 hosts in 62 days is computed', async () => {
  const begun = Promise.withResolvers<void>();
  hear = (text) => text.includes('scheduler_settings') && begun.resolve();
  const weekly = [...Array(24).keys()].map((hour) => {
    const [from, to] = [`${String(hour).padStart(2, '0')}:00`, `${String(hour).padStart(2, '0')}:55`];
    return { days, start: from, end: to };
  });
  const members = Array(200).fill({ time_zone: 'Europe/Paris', weekly, role: 'rotating' });
  const rules = { duration_minutes: 1, booking_window: { type: 'none' }, time_zone: 'Asia/Tokyo' };
  const { actor } = await app.actor();
  let isComputed = false;
  const headers = { Authorization: `Bearer ${actor.secret}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify(asked(rules, members, { to: '2027-04-04' }));
  // The answer begins when all of it is computed.
  const preview = fetch(`${app.base_url}/api/v1${PATH}`, { method: 'POST', headers, body }).finally(() => {
    isComputed = true;
  });
  await begun.promise;
  let answered = 0;
  while (!isComputed) {
    assert.equal((await app.anonymous.get('/nothing')).status, 404);
    answered += 1;
  }
  const { slots } = (await (await preview).json()) as { slots: unknown[] };
  assert.equal(slots.length, 62 * 24 * 55);
  assert.ok(answered >= 6, `${answered} others were answered`);
});

describe('what a preview refuses', () => {
  const good = host('10:00', '13:00');
  const span = { start: '2027-02-01T01:00:00Z', end: '2027-02-01T02:00:00Z' };
  for (const [what, body, fault] of [
    ['a range that ends before it begins', asked({}, [good], { to: '2027-01-31' }), '/to not_after_from'],
    ['63 dates', asked({}, [good], { to: '2027-04-05' }), '/to too_long'],
    ['more than 48 hours to explain', asked({}, [good], { to: '2027-02-04', explain: true }), '/to too_long'],
    ['nobody', asked({}, []), '/hosts too_small'],
    ['optional hosts alone', asked({}, [{ ...good, role: 'optional' }]), '/hosts members_mismatch'],
    ['201 hosts', asked({}, Array(201).fill(good)), '/hosts too_large'],
    [
      '10,001 blocks',
      asked({}, [
        host('10:00', '13:00', { busy: Array(5_001).fill(span) }),
        host('10:00', '13:00', { busy: Array(5_000).fill(span) }),
      ]),
      '/hosts too_large',
    ],
    [
      'a booking at two times',
      asked({}, [
        host('10:00', '13:00', { busy: [{ ...span, booking: 'a' }] }),
        host('10:00', '13:00', { busy: [{ ...span, end: '2027-02-01T02:00:01Z', booking: 'a' }] }),
      ]),
      '/hosts/1/busy/0/booking conflict',
    ],
    [
      'a block that ends when it begins',
      asked({}, [host('10:00', '13:00', { busy: [{ ...span, end: span.start }] })]),
      '/hosts/0/busy/0/end not_after_start',
    ],
    ['a year before 2000', asked({}, [good], { now: '1999-12-31T23:59:59Z' }), '/now out_of_range'],
    ['a year after 2100', asked({}, [good], { to: '2101-01-01' }), '/to out_of_range'],
    ['a window without length', asked({}, [host('10:00', '10:00')]), '/hosts/0/weekly/0/end empty_interval'],
    [
      'a clock time of one digit',
      asked({}, [host('9:00', '10:00')]),
      '/hosts/0/weekly/0/start invalid_format',
    ],
    [
      'a zone by its offset',
      asked({ time_zone: '+09:00' }, [good]),
      '/event_type/time_zone invalid_time_zone',
    ],
  ] as const) {
    test(what, async () => {
      const reply = await desk.post(PATH, body);
      assert.deepEqual([reply.status, faultsIn(reply.body)], [422, [fault]], reply.text.slice(0, 500));
    });
  }
});
