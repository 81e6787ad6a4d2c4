import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pauseOfOutage, sealDocumentJob } from '../../../../shared/sign/sealing/jobs.ts';

test('The tries to seal outlast hours in which something outside does not answer', () => {
  const minutes = [1, 2, 3, 4].map((failed) => pauseOfOutage(failed) / 60_000);
  assert.deepEqual(minutes, [2, 10, 50, 250]);
  assert.equal(sealDocumentJob.attempts, minutes.length + 1);
});
