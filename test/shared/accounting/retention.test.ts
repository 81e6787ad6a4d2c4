import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retentionUntil } from '../../../shared/accounting/documents/retention.ts';

test('What is kept longer than days have four digits of their year is kept until the last one', () => {
  const year = { start_date: '9998-04-01', end_date: '9999-03-31' };
  assert.equal(retentionUntil([], '9999-12-31', 10), '9999-12-31');
  assert.equal(retentionUntil([year], '9999-01-01', 7), '9999-12-31');
  assert.equal(retentionUntil([], '9980-01-01', 10), '9992-01-01');
  assert.equal(
    retentionUntil([{ start_date: '2026-04-01', end_date: '2027-03-31' }], '2026-11-26', 10),
    '2037-05-31',
  );
});
