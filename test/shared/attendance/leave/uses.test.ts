import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { figuresOf } from '../../../../shared/attendance/leave/rules/figures.ts';
import { hoursPerDay, leftOf } from '../../../../shared/attendance/leave/rules/room.ts';
import {
  allocate,
  displaced,
  type Grant,
  type Taking,
} from '../../../../shared/attendance/leave/rules/uses.ts';

const old: Grant = { id: 'lgrant_a', granted_on: '2025-10-01', expires_on: '2027-09-30', days: 10 };
const recent: Grant = { id: 'lgrant_b', granted_on: '2026-10-01', expires_on: '2028-09-30', days: 11 };

function taking(id: string, date: string, halves: number, hours = 0): Taking {
  return { id, start_minute: 0, days: [{ date, halves, hours }] };
}

function range(id: string, dates: readonly string[]): Taking {
  return { id, start_minute: 0, days: dates.map((date) => ({ date, halves: 2, hours: 0 })) };
}

/** By request, what it takes of each grant: half-days and hours. */
function taken(grants: readonly Grant[], takings: readonly Taking[], hours_per_day = 8) {
  const { uses, unfit } = allocate(grants, takings, hours_per_day);
  return { uses: uses.map((use) => [use.request_id, use.date, use.grant_id, use.halves, use.hours]), unfit };
}

describe('what is left of a grant', () => {
  const table: [days: number, uses: [halves: number, hours: number][], left: [number, number] | null][] = [
    [
      12,
      [
        [6, 0],
        [0, 13],
      ],
      [14, 3],
    ],
    [
      12,
      [
        [0, 13],
        [6, 0],
      ],
      [14, 3],
    ],
    [10, [], [20, 0]],
    [10, [[0, 1]], [18, 7]],
    [10, [[0, 8]], [18, 0]],
    [
      10,
      [
        [0, 4],
        [0, 5],
      ],
      [16, 7],
    ],
    [10, [[20, 0]], [0, 0]],
    [
      10,
      [
        [20, 0],
        [0, 1],
      ],
      null,
    ],
    [10, [[21, 0]], null],
    [1.5, [[0, 1]], [1, 7]],
    [1.5, [[0, 9]], [0, 3]],
    [1.5, [[0, 12]], [0, 0]],
    [1.5, [[0, 13]], null],
    [0.5, [[0, 4]], [0, 0]],
    [0.5, [[0, 5]], null],
    [
      0.5,
      [
        [1, 0],
        [0, 1],
      ],
      null,
    ],
    // A day that was opened for hours has no half-day any more; a half-day that is left opens as 4 hours.
    [
      1,
      [
        [0, 3],
        [1, 0],
      ],
      null,
    ],
    [
      1,
      [
        [1, 0],
        [0, 3],
      ],
      [0, 1],
    ],
    [0, [], [0, 0]],
    [0, [[1, 0]], null],
  ];
  for (const [days, uses, left] of table) {
    const rest = left === null ? 'too much' : `${left[0]} halves and ${left[1]} hours`;
    it(`of ${days} days by ${JSON.stringify(uses)} halves and hours of 8 is ${rest}`, () =>
      assert.deepEqual(
        leftOf(
          days,
          uses.map(([halves, hours]) => ({ halves, hours })),
          8,
        ),
        left && { halves: left[0], hours: left[1] },
      ));
  }

  it('opens a last half-day as half the hours, up', () => {
    assert.deepEqual(leftOf(0.5, [{ halves: 0, hours: 1 }], 7), { halves: 0, hours: 3 });
  });

  it('counts a day of 450 minutes as 8 hours', () => {
    assert.deepEqual([450, 480, 481, 420, 60, 1].map(hoursPerDay), [8, 8, 9, 7, 1, 1]);
  });
});

describe('days are taken', () => {
  it('from the oldest grant that holds on the day', () => {
    assert.deepEqual(
      taken(
        [recent, old],
        [taking('r3', '2027-10-01', 2), taking('r1', '2026-09-30', 2), taking('r2', '2026-10-01', 2)],
      ).uses,
      [
        ['r1', '2026-09-30', 'lgrant_a', 2, 0],
        ['r2', '2026-10-01', 'lgrant_a', 2, 0],
        ['r3', '2027-10-01', 'lgrant_b', 2, 0],
      ],
    );
  });

  it('on the last day of a grant, and not after it', () => {
    assert.deepEqual(taken([old], [taking('r1', '2027-09-30', 2)]).unfit, []);
    assert.deepEqual(taken([old], [taking('r1', '2027-10-01', 2)]).unfit, ['r1']);
    assert.deepEqual(taken([old], [taking('r1', '2025-09-30', 2)]).unfit, ['r1']);
  });

  it('half from one grant and half from the next, where the older has half a day left', () => {
    assert.deepEqual(taken([{ ...old, days: 0.5 }, recent], [taking('r1', '2026-10-05', 2)]).uses, [
      ['r1', '2026-10-05', 'lgrant_a', 1, 0],
      ['r1', '2026-10-05', 'lgrant_b', 1, 0],
    ]);
  });

  it('by the hour from what is left of the opened day, then from the next grant', () => {
    const grants = [{ ...old, days: 1 }, recent];
    assert.deepEqual(
      taken(grants, [taking('r1', '2026-10-05', 0, 7), taking('r2', '2026-10-06', 0, 3)]).uses,
      [
        ['r1', '2026-10-05', 'lgrant_a', 0, 7],
        ['r2', '2026-10-06', 'lgrant_a', 0, 1],
        ['r2', '2026-10-06', 'lgrant_b', 0, 2],
      ],
    );
  });

  it('whole or not at all', () => {
    const grants = [{ ...old, days: 2 }];
    const three = range('r1', ['2026-11-02', '2026-11-04', '2026-11-05']);
    assert.deepEqual(taken(grants, [three, taking('r2', '2026-11-09', 2)]), {
      uses: [['r2', '2026-11-09', 'lgrant_a', 2, 0]],
      unfit: ['r1'],
    });
  });

  it('from no grant without days', () => {
    const none = { ...old, days: 0, expires_on: null };
    assert.deepEqual(taken([none], [taking('r1', '2026-11-02', 1)]).unfit, ['r1']);
  });

  it('in order of time within a day, then of ID', () => {
    const grants = [{ ...old, days: 0.5 }];
    const am = { ...taking('r9', '2026-11-02', 1), start_minute: 0 };
    const pm = { ...taking('r1', '2026-11-02', 1), start_minute: 720 };
    assert.deepEqual(taken(grants, [pm, am]).unfit, ['r1']);
  });

  it('as they were in confirmed periods, whatever comes before them now', () => {
    const kept = [{ grant_id: 'lgrant_b', halves: 2, hours: 0 }];
    const confirmed: Taking = {
      id: 'r2',
      start_minute: 0,
      days: [{ date: '2026-10-30', halves: 2, hours: 0, kept }],
    };
    assert.deepEqual(taken([old, { ...recent, days: 1 }], [taking('r1', '2026-10-05', 2), confirmed]), {
      uses: [
        ['r2', '2026-10-30', 'lgrant_b', 2, 0],
        ['r1', '2026-10-05', 'lgrant_a', 2, 0],
      ],
      unfit: [],
    });
  });

  it('leave a request that did not fit without days, also when the part in a closed period is over', () => {
    const two: Grant = { ...recent, days: 2 };
    const three = range('r1', ['2026-10-30', '2026-11-02', '2026-11-04']);
    const [first, ...rest] = three.days;
    const takings = [{ ...three, days: [{ ...first!, kept: [] }, ...rest] }, taking('r2', '2026-11-05', 2)];
    assert.deepEqual(taken([two], takings), {
      uses: [['r2', '2026-11-05', 'lgrant_b', 2, 0]],
      unfit: ['r1'],
    });
  });

  it('and an earlier day may displace a later one, which is told', () => {
    const grants = [{ ...old, days: 1, expires_on: '2026-12-31' }];
    const before = allocate(grants, [taking('r2', '2026-12-01', 2)], 8);
    const after = allocate(grants, [taking('r2', '2026-12-01', 2), taking('r1', '2026-11-02', 2)], 8);
    assert.deepEqual(displaced(before, after), ['r2']);
  });
});

describe('the figures of a grant', () => {
  const grant: Grant = { ...old, days: 12 };
  const { uses } = allocate(
    [grant],
    [
      range('r1', ['2026-04-01', '2026-04-02', '2026-04-03']),
      taking('r2', '2026-05-01', 0, 8),
      taking('r3', '2026-06-01', 0, 5),
      taking('r4', '2026-12-01', 2),
      taking('r5', '2027-02-01', 0, 2),
    ],
    8,
  );
  const figures = (as_of: string) =>
    figuresOf(grant, uses, ({ date }) => date <= as_of, { as_of, hours_per_day: 8 });

  it('tell used from reserved by the day', () => {
    assert.deepEqual(figures('2026-06-30'), {
      used_days: 3,
      used_hours: 13,
      reserved_days: 1,
      reserved_hours: 2,
      remaining_days: 6,
      remaining_hours: 1,
      lapsed_days: 0,
    });
  });

  it('say what has lapsed after the last day', () => {
    const { remaining_days, remaining_hours } = figures('2027-09-30');
    assert.deepEqual([remaining_days, remaining_hours], [6, 1]);
    const after = figures('2027-10-01');
    assert.deepEqual([after.remaining_days, after.remaining_hours, after.lapsed_days], [0, 0, 6]);
  });
});
