import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newSeller, type Seller } from '../../support/documents.ts';
import { toldBy } from '../../support/facts.ts';

const app = await startApp();

/** 10 x 1,000 at 10 % and 4 x 250 at 8 %. */
const TOTAL = 12_080;

const credit = (seller: Seller, { id }: { id: string }, body: Record<string, unknown> = {}) =>
  seller.post(`/invoices/${id}/credit-notes`, { reason: '返品', issue_date: '2026-05-01', ...body });

const settled = ({ status, credited, balance }: Record<string, unknown>) => [status, credited, balance];

describe('201', () => {
  test('a credit note of all has the lines, the totals and the texts of its invoice, and is issued', async () => {
    const seller = await newSeller(app);
    const invoice = await seller.after('invoice', ['approve', 'send'], {
      subject: '4月分',
      transaction_period: { from: '2026-03-01', to: '2026-03-31' },
      honorific: '様',
    });
    const reply = await credit(seller, invoice);
    assert.equal(reply.status, 201, reply.text);
    const { credit_note: note } = reply.body;
    assert.equal(reply.headers.get('location'), `/api/v1/credit-notes/${note.id}`);
    assert.deepEqual(
      [note.object, note.status, note.number, note.invoice_id, note.reason, note.issue_date],
      ['invoicing.credit_note', 'issued', 'CN-2026-0001', invoice.id, '返品', '2026-05-01'],
    );
    assert.deepEqual(note.totals, invoice.totals);
    for (const field of ['company_id', 'company_snapshot', 'subject', 'honorific', 'transaction_period']) {
      assert.deepEqual(note[field], invoice[field], field);
    }
    const shown = (line: Record<string, unknown>, source: unknown) => ({
      ...line,
      id: 0,
      source_line_id: source,
    });
    assert.deepEqual(
      note.line_items.map((line: Record<string, unknown>) => shown(line, line['source_line_id'])),
      invoice.line_items.map((line: Record<string, unknown>) => shown(line, line['id'])),
    );
    assert.deepEqual(
      [note.amount_paid, note.credited, note.balance, note.bank_account],
      [null, null, null, null],
    );
    assert.equal(note.pdf.status, 'rendering');
    assert.deepEqual((await seller.get(`/credit-notes/${note.id}`)).body.credit_note, note);
  });

  test('an invoice whose balance is 0 by credit alone keeps its status, and is neither overdue nor payable', async () => {
    const seller = await newSeller(app);
    const invoice = await seller.after('invoice', ['approve', 'send'], { due_date: '2026-04-02' });
    assert.equal(invoice.is_overdue, true);
    const { body } = await credit(seller, invoice);
    assert.deepEqual(settled(body.invoice), ['sent', TOTAL, 0]);
    assert.deepEqual([body.invoice.is_overdue, body.invoice.days_overdue], [false, null]);
    assert.deepEqual(await seller.read('invoice', invoice.id), body.invoice);
    const paid = await seller.act('invoice', invoice.id, 'mark-paid');
    assert.deepEqual([paid.status, paid.body.code], [422, 'overpayment']);
  });

  test('a part takes its own tax; the parts come to the invoice', async () => {
    const seller = await newSeller(app);
    const invoice = await seller.after('invoice', ['approve'], {
      tax_rounding: 'ceil',
      line_items: [{ description: '豆', quantity: '3', unit_price: '33.5' }],
    });
    assert.deepEqual([invoice.totals.subtotal, invoice.totals.tax], [100, 10]);
    const [line] = invoice.line_items;
    const first = await credit(seller, invoice, { line_items: [{ source_line_id: line.id, quantity: '1' }] });
    const { totals, line_items } = first.body.credit_note;
    assert.deepEqual([line_items[0].amount, totals.subtotal, totals.tax], [33, 33, 4]);
    const rest = (await credit(seller, invoice)).body;
    assert.deepEqual([rest.credit_note.totals.subtotal, rest.credit_note.totals.tax], [67, 6]);
    assert.deepEqual(settled(rest.invoice), ['approved', 110, 0]);
  });

  test('a reduction of its own, and lines with words of their own', async () => {
    const seller = await newSeller(app);
    const invoice = await seller.after('invoice', ['approve']);
    const [beans] = invoice.line_items;
    const reply = await credit(seller, invoice, {
      line_items: [
        { source_line_id: beans.id, quantity: '2', description: '破損のため' },
        { description: '値引き', unit_price: '100', tax_category: 'reduced' },
        { type: 'text', description: '5月10日返品分' },
      ],
    });
    assert.equal(reply.status, 201, reply.text);
    const { credit_note: note } = reply.body;
    assert.deepEqual(
      note.line_items.map((line: Record<string, unknown>) => [
        line['description'],
        line['quantity'],
        line['unit'],
        line['amount'],
        line['tax_rate'],
        line['source_line_id'],
      ]),
      [
        ['破損のため', '2', '袋', 2_000, 10, beans.id],
        ['値引き', '1', null, 100, 8, null],
        ['5月10日返品分', null, null, null, null, null],
      ],
    );
    assert.equal(note.totals.total, 2_200 + 108);
  });

  test('after full payment the balance is negative: what is owed back', async () => {
    const seller = await newSeller(app);
    const invoice = await seller.after('invoice', ['approve', 'mark-paid']);
    const { body } = await credit(seller, invoice, {
      line_items: [{ description: '値引き', unit_price: '1000', tax_category: 'standard' }],
    });
    assert.deepEqual(settled(body.invoice), ['paid', 1_100, -1_100]);
    assert.equal(body.invoice.paid_at, invoice.paid_at);
  });

  test('a credit that settles the rest makes the invoice paid, when its last payment came', async () => {
    const seller = await newSeller(app);
    const invoice = await seller.after('invoice', ['approve']);
    await seller.post(`/invoices/${invoice.id}/payments`, { amount: 80, paid_at: '2026-05-31' });
    const told = await toldBy(app, seller.organization_id, () => credit(seller, invoice));
    const now = await seller.read('invoice', invoice.id);
    assert.deepEqual(settled(now), ['paid', TOTAL, -80]);
    assert.equal(now.paid_at, '2026-05-30T15:00:00.000Z');
    assert.deepEqual(
      told.events.map(({ type, data }) => [type, data['balance']]),
      [['invoice.paid', -80]],
    );
  });

  test('a credit is told as invoice.updated and stands in the audit log', async () => {
    const seller = await newSeller(app);
    const invoice = await seller.after('invoice', ['approve']);
    const told = await toldBy(app, seller.organization_id, () => credit(seller, invoice));
    assert.deepEqual(
      told.events.map(({ type, previous_attributes }) => [type, previous_attributes]),
      [['invoice.updated', { credited: 0, balance: TOTAL }]],
    );
    assert.deepEqual(
      told.audit.map(({ entity_type, action }) => `${entity_type} ${action}`),
      ['credit_note create', 'job create', 'invoice update'],
    );
    assert.deepEqual(told.audit[0]!.changes['number'], [null, 'CN-2026-0001']);
  });

  test('withholding is that of all that is credited', async () => {
    const seller = await newSeller(app);
    const invoice = await seller.after('invoice', ['approve'], {
      withholding_mode: 'net',
      line_items: [{ description: '顧問料', quantity: '2', unit_price: '600000', withholding: true }],
    });
    const [line] = invoice.line_items;
    const one = (await credit(seller, invoice, { line_items: [{ source_line_id: line.id, quantity: '1' }] }))
      .body;
    const rest = (await credit(seller, invoice)).body;
    const taken = [one, rest].map(({ credit_note }) => credit_note.totals.withholding_tax);
    assert.deepEqual(taken, [61_260, 142_940 - 61_260]);
    assert.deepEqual(settled(rest.invoice), ['approved', invoice.totals.amount_due, 0]);
  });

  test('rates are those of the day of the sale, not of the note', async () => {
    const seller = await newSeller(app);
    const invoice = await seller.after('invoice', ['approve'], {
      issue_date: '2019-09-15',
      line_items: [{ description: '豆', unit_price: '1000' }],
    });
    const { credit_note: note } = (await credit(seller, invoice, { issue_date: '2019-10-15' })).body;
    assert.deepEqual(
      [note.totals.tax, note.line_items[0].tax_rate, note.transaction_date],
      [80, 8, '2019-09-15'],
    );
    assert.equal(note.number, 'CN-2019-0001');
  });

  test('what it freezes: the issuer and the company may change afterwards', async () => {
    const seller = await newSeller(app);
    const invoice = await seller.after('invoice', ['approve']);
    const { credit_note: note } = (await credit(seller, invoice)).body;
    await seller.patch(`/crm/companies/${seller.company.id}`, { name: '新社名' });
    const shown = (await seller.get(`/credit-notes/${note.id}`)).body.credit_note;
    assert.equal(shown.company_snapshot.name, '株式会社山田商店');
  });
});

describe('200', () => {
  test('lists of an invoice and of all, by company, invoice, number and day', async () => {
    const seller = await newSeller(app);
    const company = await seller.make('/crm/companies', { name: '別の会社' });
    const [one, other] = [
      await seller.after('invoice', ['approve']),
      await seller.after('invoice', ['approve'], { company_id: company.id, subject: '豆の件' }),
    ];
    const part = { line_items: [{ source_line_id: one.line_items[0].id, quantity: '1' }] };
    const first = (await credit(seller, one, part)).body.credit_note;
    const second = (await credit(seller, one, { issue_date: '2026-06-01' })).body.credit_note;
    const foreign = (await credit(seller, other)).body.credit_note;
    const { line_items, ...summary } = second;
    const ofInvoice = await seller.get(`/invoices/${one.id}/credit-notes`);
    assert.deepEqual([ofInvoice.body.items[0], ofInvoice.body.total], [summary, 2]);
    const found = async (query: string) => {
      const { body, text } = await seller.get(`/credit-notes?${query}`);
      assert.ok(body.items, text);
      assert.equal(body.total, body.items.length);
      return body.items.map(({ id }: { id: string }) => id);
    };
    assert.deepEqual(await found(''), [foreign.id, second.id, first.id]);
    assert.deepEqual(await found(`company_id=${company.id}`), [foreign.id]);
    assert.deepEqual(await found(`invoice_id=${one.id}`), [second.id, first.id]);
    assert.equal((await found('status=issued')).length, 3);
    assert.deepEqual(await found('search=0002'), [second.id]);
    assert.deepEqual(await found(`search=${encodeURIComponent('豆の')}`), [foreign.id]);
    assert.deepEqual(await found('issue_date_from=2026-05-02'), [second.id]);
    assert.deepEqual(await found('issue_date_to=2026-05-01&sort=number:asc'), [first.id, foreign.id]);
  });
});
