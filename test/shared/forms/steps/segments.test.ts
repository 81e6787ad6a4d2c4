import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type SegmentField, segmentsOf } from '../../../../shared/forms/steps/segments.ts';

const field = (id: string, more: Partial<SegmentField> = {}): SegmentField => ({ id, ...more });
const idsOf = (fields: readonly SegmentField[]) => segmentsOf(fields).map((each) => each.map(({ id }) => id));

describe('a step ends before the first field that asks about one of it', () => {
  const cases: [string, SegmentField[], string[][]][] = [
    ['no fields', [], [[]]],
    ['no conditions', [field('a'), field('b')], [['a', 'b']]],
    ['show_if', [field('a'), field('b', { show_if: { field: 'a' } })], [['a'], ['b']]],
    ['required_if', [field('a'), field('b', { required_if: { field: 'a' } })], [['a'], ['b']]],
    ['an earlier page', [field('b', { show_if: { field: 'a' } }), field('c')], [['b', 'c']]],
    ['a row of a matrix', [field('m'), field('b', { show_if: { field: 'm.quality' } })], [['m'], ['b']]],
    [
      'a name within other conditions',
      [field('a'), field('b', { show_if: { all: [{ not: { any: [{ field: 'x' }, { field: 'a' }] } }] } })],
      [['a'], ['b']],
    ],
    [
      'a field of a step before asks nothing of this one',
      [
        field('a'),
        field('b', { show_if: { field: 'a' } }),
        field('c', { show_if: { field: 'a' } }),
        field('d', { required_if: { field: 'c' } }),
      ],
      [['a'], ['b', 'c'], ['d']],
    ],
  ];
  for (const [name, fields, expected] of cases) test(name, () => assert.deepEqual(idsOf(fields), expected));
});
