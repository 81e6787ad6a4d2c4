import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { compiled } from '../../../api/http/compiled.ts';
import { textsByName, valuesByName } from '../../../shared/kernel/open-objects.ts';

const Reply = z.strictObject({ texts: textsByName(), values: valuesByName().nullable() });

test('an open object is answered as it is, and is no copy', () => {
  const texts = { 会社名: '山田商店' };
  const values = { kind: ['a'], seats: '12', name: { first: null } };
  for (const schema of [Reply, compiled(Reply)]) {
    const read = schema.parse({ texts, values });
    assert.deepEqual([read.texts === texts, read.values === values], [true, true]);
    assert.equal(schema.parse({ texts: {}, values: null }).values, null);
  }
});

test('an open object is an object, with values of its kind', () => {
  const wrong = [
    null,
    undefined,
    'a',
    1,
    [],
    ['a'],
    new Date(0),
    { a: 1 },
    { a: null },
    { a: 'b', c: undefined },
  ];
  for (const schema of [Reply, compiled(Reply)]) {
    for (const texts of wrong) {
      assert.deepEqual(
        schema.safeParse({ texts, values: {} }).error?.issues.map(({ path }) => path),
        [['texts']],
      );
    }
    for (const values of [undefined, 'a', 1, [], new Date(0)]) {
      assert.equal(schema.safeParse({ texts: {}, values }).success, false);
    }
  }
});

test('the contract says what its values are', () => {
  const { properties } = z.toJSONSchema(Reply, { unrepresentable: 'any' });
  assert.deepEqual(properties?.['texts'], { type: 'object', additionalProperties: { type: 'string' } });
});
