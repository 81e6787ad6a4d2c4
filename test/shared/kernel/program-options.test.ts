import assert from 'node:assert/strict';
import { test } from 'node:test';
import { programOptions } from '../../../shared/kernel/program-options.ts';
import { StartupError } from '../../../shared/kernel/startup-error.ts';

const options = { queues: { type: 'string' }, name: { type: 'string', default: 'workers' } } as const;

test('options are read, and have what they are by default', () => {
  assert.deepEqual(
    { ...programOptions(['--queues', 'email'], options) },
    { queues: 'email', name: 'workers' },
  );
});

for (const [words, sentence] of [
  [['--queue', 'email'], "Unknown option '--queue'; there are --queues, --name."],
  [['email'], "Unexpected argument 'email'; there are --queues, --name."],
  [['--queues'], "Option '--queues <value>' argument missing; there are --queues, --name."],
] as const) {
  test(`${words.join(' ')} is refused in one sentence`, () => {
    assert.throws(
      () => programOptions(words, options),
      (error) => error instanceof StartupError && error.message === sentence,
    );
  });
}
