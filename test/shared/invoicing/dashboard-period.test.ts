import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { monthsUntil } from '../../../shared/invoicing/dashboard/period.ts';

describe('the months of a dashboard', () => {
  it('are twelve whole ones that end with that of its last day', () => {
    const months = monthsUntil('2028-02-01');
    assert.equal(months.length, 12);
    assert.deepEqual(months[0], { month: '2027-03', from: '2027-03-01', to: '2027-03-31' });
    assert.deepEqual(months[11], { month: '2028-02', from: '2028-02-01', to: '2028-02-29' });
  });
});
