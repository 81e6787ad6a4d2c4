import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unavailableBy } from '../../../shared/db/outage.ts';

test('a server that the network does not reach is away, whatever the system calls it', () => {
  for (const code of ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']) {
    const failure = unavailableBy(Object.assign(new Error(`read ${code}`), { code }));
    assert.equal(failure?.code, 'unavailable', code);
  }
  assert.equal(unavailableBy(new Error('A programming error')), null);
});
