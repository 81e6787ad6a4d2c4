import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { logFault } from '../../../api/http/log-fault.ts';
import { Failure } from '../../../shared/kernel/failure.ts';
import { unfound } from '../../../shared/platform/storage/missing.ts';
import { StoredFileMissing } from '../../../shared/platform/storage/storage.ts';

function loggedLines() {
  const lines: { level: number; msg: string; count?: number }[] = [];
  return { lines, log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }) };
}

test('the log counts the requests of an outage, and does not claim that it is over where nobody asks', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { log, lines } = loggedLines();
  const sentence = 'The store of files cannot write: no space left on device (ENOSPC).';
  const away = () => new Failure('unavailable', { trouble: { kind: 'storage', sentence } });
  const now = new Date();
  for (const id of ['req_1', 'req_2', 'req_3']) logFault(log, id, away(), now);
  context.mock.timers.tick(5_000);
  assert.deepEqual(
    lines.map(({ msg, count }) => ({ msg, count })),
    [
      { msg: sentence, count: undefined },
      { msg: 'No request has failed this way for five seconds', count: 3 },
    ],
  );
});

test('the log names each file that the store does not have', () => {
  const { log, lines } = loggedLines();
  for (const key of ['org_a/uploads/one', 'org_a/uploads/two', 'org_a/uploads/two']) {
    logFault(log, 'req_1', unfound(new StoredFileMissing(key), key) as Failure, new Date());
  }
  assert.deepEqual(
    lines.map(({ level, msg }) => [level, /does not have (\S+):/.exec(msg)?.[1]]),
    [
      [50, 'org_a/uploads/one'],
      [50, 'org_a/uploads/two'],
    ],
  );
});
