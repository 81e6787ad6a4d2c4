import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isSameJson } from '../../../shared/kernel/same-json.ts';

/** The value with the members of all objects in one order, as text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1)))
      : inner,
  );
}

/** The same value with the members of all objects the other way round. */
function turned(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(turned);
  const members = Object.entries(value).toReversed();
  return Object.fromEntries(members.map(([name, inner]) => [name, turned(inner)]));
}

describe('two values are the same as JSON', () => {
  // Few names and values, so that many pairs are nearly the same.
  const { value: small } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(null, true, 0, -0, 1, '', 'a', '1'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'constructor', '__proto__'), tie('value'), { maxKeys: 3 }),
    ),
  }));

  test('exactly when their canonical texts are', () => {
    fc.assert(
      fc.property(small, small, (left, right) => {
        assert.equal(isSameJson(left, right), canonical(left) === canonical(right));
      }),
      { numRuns: 2_000 },
    );
  });

  test('whatever the order of their members', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => isSameJson(value, turned(value))));
  });

  test('where a member is absent in one and undefined in the other', () => {
    assert.ok(isSameJson({ a: 1, b: undefined }, { a: 1 }));
    assert.ok(isSameJson({ a: 1 }, { a: 1, b: undefined }));
    assert.ok(!isSameJson({ a: 1 }, { a: 1, b: null }));
  });

  test('where a time stands beside its text, and amounts are equal', () => {
    const at = '2026-04-01T00:00:00.000Z';
    assert.ok(isSameJson({ at: new Date(at) }, { at }));
    assert.ok(!isSameJson(new Date(at), new Date(0)));
    assert.ok(isSameJson([12n], [12n]));
    assert.ok(!isSameJson([12n], [13n]));
  });
});
