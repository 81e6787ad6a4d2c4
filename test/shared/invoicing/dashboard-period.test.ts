import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fiscalYearOf, monthsUntil, periodFor } from '../../../shared/invoicing/dashboard/period.ts';

describe('the period of a dashboard', () => {
  it('is the fiscal year of today, from the first day of its month', () => {
    assert.deepEqual(periodFor({}, '2026-04-01', 4), { from: '2026-04-01', to: '2027-03-31' });
    assert.deepEqual(periodFor({}, '2026-03-31', 4), { from: '2025-04-01', to: '2026-03-31' });
    assert.deepEqual(periodFor({}, '2026-03-31', 1), { from: '2026-01-01', to: '2026-12-31' });
    assert.deepEqual(fiscalYearOf('2028-01-15', 3), { from: '2027-03-01', to: '2028-02-29' });
  });

  it('is what was asked for, and where one end was not, that of its fiscal year', () => {
    const asked = { from: '2026-02-03', to: '2026-02-04' };
    assert.deepEqual(periodFor(asked, '2030-01-01', 4), asked);
    assert.deepEqual(periodFor({ from: '2026-02-03' }, '2030-01-01', 4), {
      from: '2026-02-03',
      to: '2026-03-31',
    });
    assert.deepEqual(periodFor({ to: '2026-02-04' }, '2030-01-01', 4), {
      from: '2025-04-01',
      to: '2026-02-04',
    });
  });
});

describe('the months of a dashboard', () => {
  it('are twelve whole ones that end with that of its last day', () => {
    const months = monthsUntil('2028-02-01');
    assert.equal(months.length, 12);
    assert.deepEqual(months[0], { month: '2027-03', from: '2027-03-01', to: '2027-03-31' });
    assert.deepEqual(months[11], { month: '2028-02', from: '2028-02-01', to: '2028-02-29' });
  });
});
