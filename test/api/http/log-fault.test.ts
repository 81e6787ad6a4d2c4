import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { logFault } from '../../../api/http/log-fault.ts';
import { Failure } from '../../../shared/kernel/failure.ts';

test('the log counts the requests of an outage, and does not claim that it is over where nobody asks', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const lines: { msg: string; count?: number }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
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
