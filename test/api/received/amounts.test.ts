import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newBuyer } from '../../support/received.ts';

const app = await startApp();

const codesOf = (problems: { path: string; code: string }[]) =>
  problems.map(({ path, code }) => `${path} ${code}`);

describe('the sums of a paper', () => {
  test('count as they are printed, beside what the lines give', async () => {
    const buyer = await newBuyer(app);
    const line_items = Array.from({ length: 10 }, (_, index) => ({
      description: `茶菓 ${index + 1}`,
      unit_price: '105',
      tax_category: 'reduced',
    }));
    const invoice = await buyer.register('invoice', {
      registration_number: 'T7000012050002',
      line_items,
      stated_breakdown: [{ tax_category: 'reduced', net: 1_050, tax: 80 }],
      stated_total: 1_130,
    });
    const { totals, tax_differences, input_tax, balance } = invoice;
    assert.deepEqual([totals.subtotal, totals.tax, totals.total, balance], [1_050, 80, 1_130, 1_130]);
    assert.deepEqual(tax_differences, [{ tax_category: 'reduced', stated: 80, computed: 84 }]);
    assert.deepEqual([input_tax.basis, input_tax.tax, input_tax.deductible], ['qualified', 80, 80]);
  });

  test('are refused where they do not agree, all faults at once', async () => {
    const buyer = await newBuyer(app);
    const wrong = {
      registration_number: 'T7000012050002',
      stated_breakdown: [{ tax_category: 'standard', net: 100_001, tax: 10_900 }],
      stated_total: 1,
      stated_withholding: 200_000,
    };
    const reply = await buyer.attempt('invoice', wrong);
    assert.equal(reply.status, 422, reply.text);
    assert.deepEqual(codesOf(reply.body.errors), [
      '/stated_breakdown/0 amount_mismatch',
      '/stated_breakdown/0 tax_mismatch',
      '/stated_total total_mismatch',
      '/stated_withholding out_of_range',
    ]);
    const { id } = await buyer.register('quotation');
    const changed = await buyer.change('quotation', id, { stated_total: 1 });
    assert.deepEqual(
      [changed.status, ...codesOf(changed.body.errors)],
      [422, '/stated_total total_mismatch'],
    );
  });

  test('of a month across a change of the share are stated by their days, or warned of', async () => {
    const buyer = await newBuyer(app);
    const month = {
      line_items: [],
      transaction_period: { from: '2026-09-21', to: '2026-10-20' },
    };
    const by_days = await buyer.register('invoice', {
      ...month,
      stated_breakdown: [
        { tax_category: 'standard', gross: 55_000, transaction_date: '2026-09-30' },
        { tax_category: 'standard', gross: 55_000, transaction_date: '2026-10-20' },
      ],
    });
    const { basis, tax, deductible, non_deductible, expense, rows } = by_days.input_tax;
    assert.deepEqual([basis, tax, deductible], ['transitional', 10_000, 7_500]);
    assert.deepEqual([non_deductible, expense], [2_500, 102_500]);
    assert.deepEqual(
      rows.map(({ transaction_date, share }: Record<string, unknown>) => [transaction_date, share]),
      [
        ['2026-09-30', 80],
        ['2026-10-20', 70],
      ],
    );
    assert.deepEqual(codesOf(by_days.warnings), ['/registration_number registration_number_missing']);
    const whole = await buyer.register('invoice', {
      ...month,
      stated_breakdown: [{ tax_category: 'standard', gross: 110_000 }],
    });
    assert.equal(whole.input_tax.deductible, 7_000);
    assert.deepEqual(codesOf(whole.warnings), [
      '/registration_number registration_number_missing',
      '/transaction_period period_spans_share_change',
    ]);
  });
});

describe('input tax', () => {
  test('is rounded as the fiscal year of its day says', async () => {
    const buyer = await newBuyer(app);
    await buyer.make('/accounting/fiscal-years', {
      start_date: '2026-04-01',
      end_date: '2027-03-31',
      tax_rounding: 'round',
    });
    const stated_breakdown = [{ tax_category: 'standard', gross: 1_755 }];
    const within = await buyer.register('invoice', { line_items: [], stated_breakdown });
    assert.deepEqual([within.input_tax.tax, within.input_tax.deductible], [160, 112]);
    const after = { issue_date: '2027-11-02', line_items: [], stated_breakdown };
    const beyond = await buyer.register('invoice', after);
    assert.deepEqual([beyond.input_tax.tax, beyond.input_tax.deductible], [159, 111]);
  });

  test('is whole with a reason why the books suffice', async () => {
    const buyer = await newBuyer(app);
    const fields = { deduction_basis: 'book_only', deduction_reason: '自動販売機での購入' };
    const { input_tax, qualified } = await buyer.register('invoice', fields);
    assert.deepEqual([qualified, input_tax.basis, input_tax.deductible], [false, 'book_only', 10_000]);
  });
});

describe('a registration number', () => {
  test('is compared with that of the company, and is never taken from it', async () => {
    const buyer = await newBuyer(app);
    const invoice_registration_number = 'T7000012050002';
    await buyer.patch(`/crm/companies/${buyer.company.id}`, { invoice_registration_number });
    const without = await buyer.register('invoice');
    assert.deepEqual(
      [without.registration_number, ...codesOf(without.warnings)],
      [null, '/registration_number registration_number_missing'],
    );
    const other = await buyer.register('invoice', { registration_number: 'T8000012050002' });
    assert.deepEqual(codesOf(other.warnings), [
      '/registration_number registration_number_checksum',
      '/registration_number registration_number_differs',
    ]);
  });
});
