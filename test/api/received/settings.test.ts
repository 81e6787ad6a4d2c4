import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { evidenceForm, pdfBytes, RECEIPT } from '../../support/evidence.ts';
import { newBuyer } from '../../support/received.ts';

const app = await startApp();

describe('the settings of received documents', () => {
  test('have defaults; the parts that are sent change', async () => {
    const buyer = await newBuyer(app);
    const { receive_settings: standard } = (await buyer.get('/receive-settings')).body;
    const { id, object, created_at, updated_at, ...fields } = standard;
    assert.deepEqual(fields, {
      four_eyes: false,
      match_policy: 'warn',
      match_tolerance: { quantity_percent: 0, price_percent: 0 },
      small_amount_rule: false,
      retention_years: 10,
      default_due: { closing_day: 'end', months_later: 1, pay_day: 'end' },
    });
    const tolerance = { match_tolerance: { price_percent: 3 } };
    assert.equal((await buyer.patch('/receive-settings', tolerance)).status, 200);
    const reply = await buyer.patch('/receive-settings', { four_eyes: true });
    const { match_tolerance, four_eyes } = reply.body.receive_settings;
    assert.deepEqual([match_tolerance, four_eyes], [{ quantity_percent: 0, price_percent: 3 }, true]);
    assert.deepEqual((await buyer.get('/receive-settings')).body, reply.body);
  });

  test('refuse years out of bounds, and who may not write settings', async () => {
    const buyer = await newBuyer(app);
    for (const retention_years of [6, 31, '10']) {
      assert.equal((await buyer.patch('/receive-settings', { retention_years })).status, 422);
    }
    const { organization_id } = buyer;
    const clerk = await app.actor({ organization_id, scopes: ['received:write'] });
    assert.equal((await clerk.patch('/receive-settings', { four_eyes: true })).status, 403);
  });

  test('decide the day to pay by of companies without terms of their own', async () => {
    const buyer = await newBuyer(app);
    await buyer.patch('/receive-settings', {
      default_due: { closing_day: 20, months_later: 1, pay_day: 10 },
    });
    assert.equal((await buyer.register('invoice', { issue_date: '2026-11-21' })).due_date, '2027-01-10');
  });

  test('decide whether the books alone suffice for a small amount', async () => {
    const buyer = await newBuyer(app);
    await buyer.patch('/receive-settings', { small_amount_rule: true });
    const of = (stated_total: number) => ({
      line_items: [],
      stated_breakdown: [{ tax_category: 'standard', gross: stated_total }],
    });
    const small = await buyer.register('invoice', of(9_999));
    const large = await buyer.register('invoice', of(10_000));
    assert.deepEqual(
      [small.input_tax.basis, small.input_tax.deductible, large.input_tax.basis, large.input_tax.deductible],
      ['small_amount', 909, 'transitional', 636],
    );
  });
});

describe('the years that documents are kept', () => {
  test('hold for all where they are more, and for later ones where they are fewer', async () => {
    const buyer = await newBuyer(app);
    await buyer.make('/accounting/fiscal-years', { start_date: '2026-04-01', end_date: '2027-03-31' });
    const file = { bytes: pdfBytes(1), name: '領収書.pdf' };
    const evidence = await buyer.post('/accounting/documents', evidenceForm(file, RECEIPT));
    const { id: evidence_id } = evidence.body.document;
    const before = await buyer.register('invoice');
    const kept = async (id: string) => (await buyer.read('invoice', id)).retention_until;
    const choose = async (retention_years: number) => {
      assert.equal((await buyer.patch('/receive-settings', { retention_years })).status, 200);
    };
    assert.equal(await kept(before.id), '2037-05-31');
    await choose(7);
    const later = await buyer.register('invoice', { issue_date: '2026-11-20' });
    assert.deepEqual([await kept(before.id), await kept(later.id)], ['2037-05-31', '2034-05-31']);
    await choose(15);
    assert.deepEqual([await kept(before.id), await kept(later.id)], ['2042-05-31', '2042-05-31']);
    const { document } = (await buyer.get(`/accounting/documents/${evidence_id}`)).body;
    assert.equal(document.retention_until, '2042-04-25');
    const without = await buyer.register('invoice', { issue_date: '2020-02-29' });
    assert.equal(without.retention_until, '2037-02-28');
  });
});
