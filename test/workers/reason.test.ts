import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../shared/kernel/failure.ts';
import { reasonOf } from '../../shared/kernel/reason.ts';

test('a line of the log names what is behind an answer that callers are told', () => {
  const away = new Error('connect ECONNREFUSED 127.0.0.1:5432');
  const unnamed = Object.assign(new AggregateError([away]), { code: 'ECONNREFUSED' });
  const detail = 'The store of files does not answer';
  const rows: [unknown, string][] = [
    [away, 'connect ECONNREFUSED 127.0.0.1:5432'],
    ['torn', 'torn'],
    [unnamed, 'connect ECONNREFUSED 127.0.0.1:5432'],
    [
      new AggregateError([away, new Error('other')], '2 files could not be removed'),
      '2 files could not be removed: connect ECONNREFUSED 127.0.0.1:5432',
    ],
    [new Failure('unavailable'), 'The service cannot answer just now'],
    [
      new Failure('unavailable', { cause: away }),
      'The service cannot answer just now: connect ECONNREFUSED 127.0.0.1:5432',
    ],
    [
      new Failure('unavailable', { detail: { en: detail, ja: detail }, cause: unnamed }),
      `${detail}: connect ECONNREFUSED 127.0.0.1:5432`,
    ],
  ];
  for (const [error, reason] of rows) assert.equal(reasonOf(error), reason);
});
