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

test('a socket that is not there is a server that is away; a file that is not there is none of the database', () => {
  const absent = (syscall: string) =>
    Object.assign(new Error(`ENOENT: no such file or directory, ${syscall}`), { code: 'ENOENT', syscall });
  assert.equal(unavailableBy(absent('connect'))?.details.trouble?.kind, 'away');
  for (const syscall of ['mkdir', 'open', 'rename'])
    assert.equal(unavailableBy(absent(syscall)), null, syscall);
});
