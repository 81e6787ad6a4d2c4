import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../../shared/db/constraint.ts';

for (const code of ['40001', '40P01']) {
  test(`a transaction that lost every time (${code}) is refused for now, to be sent again`, () => {
    const failure = failureOf(Object.assign(new Error('could not serialize'), { code }));
    assert.equal(failure.code, 'unavailable');
    assert.deepEqual(failure.details.headers, { 'Retry-After': '1' });
  });
}
