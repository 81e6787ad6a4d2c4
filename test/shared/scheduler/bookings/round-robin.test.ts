import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Candidate, chosenOf, inTurn } from '../../../../shared/scheduler/bookings/round-robin.ts';

const member = (user_id: string, fields: Partial<Candidate> = {}): Candidate => ({
  user_id,
  priority: 2,
  bookings: 0,
  last_assigned_at: null,
  ...fields,
});

describe('round robin', () => {
  test('takes A with 2 and B with none, always free: B B A B A B', () => {
    let clock = 0;
    const members = [
      member('usr_a', { bookings: 2, last_assigned_at: 'at 0' }),
      member('usr_b', { bookings: 0 }),
    ];
    const turns = Array.from({ length: 6 }, () => {
      const { user_id } = chosenOf(members);
      const one = members.find((each) => each.user_id === user_id)!;
      one.bookings += 1;
      one.last_assigned_at = `at ${++clock}`;
      return user_id.at(-1)!.toUpperCase();
    });
    assert.equal(turns.join(' '), 'B B A B A B');
  });

  const cases: [rule: string, candidates: Candidate[], chosen: string][] = [
    ['only_free', [member('usr_b', { priority: 0, bookings: 9 })], 'usr_b'],
    ['priority', [member('usr_a', { priority: 1 }), member('usr_b', { priority: 4, bookings: 9 })], 'usr_b'],
    ['fewest', [member('usr_a', { bookings: 3 }), member('usr_b', { bookings: 2 })], 'usr_b'],
    [
      'least_recent',
      [
        member('usr_a', { last_assigned_at: '2026-11-02T00:00:00.000Z' }),
        member('usr_b', { last_assigned_at: '2026-11-01T00:00:00.000Z' }),
      ],
      'usr_b',
    ],
    [
      'least_recent',
      [member('usr_a', { last_assigned_at: '2026-11-02T00:00:00.000Z' }), member('usr_b')],
      'usr_b',
    ],
    ['order', [member('usr_b'), member('usr_a')], 'usr_a'],
  ];

  for (const [rule, candidates, chosen] of cases) {
    test(`by ${rule}: ${candidates.length} candidates, ${chosen}`, () => {
      const user_ids = candidates.map(({ user_id }) => user_id);
      assert.deepEqual(chosenOf(candidates), {
        user_id: chosen,
        assignment_reason: { rule, candidates: user_ids },
      });
      assert.equal(inTurn(candidates)[0]!.user_id, chosen);
      assert.deepEqual(inTurn(candidates.toReversed()), inTurn(candidates));
    });
  }
});
