import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { kinds, receivedKinds } from '../../../shared/received/documents/kinds.ts';
import { startApp } from '../../support/app.ts';
import { newBuyer, simple } from '../../support/received.ts';

const app = await startApp();

describe('a document is registered', () => {
  for (const kind of receivedKinds) {
    test(`of the kind ${kind}: with its defaults, and read as it was answered`, async () => {
      const buyer = await newBuyer(app);
      const made = await buyer.register(kind, { number: '2026-118' });
      assert.match(made.id, new RegExp(`^${kinds[kind].prefix}_`));
      assert.deepEqual(
        [made.object, made.status, made.company_name, made.received_via, made.transaction_date],
        [kinds[kind].object, 'pending', '株式会社港文具', 'api', '2026-11-02'],
      );
      assert.deepEqual([made.totals.total, made.missing, made.files], [110_000, [], []]);
      assert.equal(
        made.received_on,
        Temporal.Instant.from(made.created_at).toZonedDateTimeISO('Asia/Tokyo').toPlainDate().toString(),
      );
      assert.deepEqual(await buyer.read(kind, made.id), made);
      const { items } = (await buyer.get(`/${kinds[kind].path}`)).body;
      const { line_items, ...summary } = made;
      assert.deepEqual(items, [summary]);
      const stranger = await newBuyer(app);
      assert.equal((await stranger.get(`/${kinds[kind].path}/${made.id}`)).status, 404);
    });
  }

  test('that says nearly nothing: it names what it still needs', async () => {
    const buyer = await newBuyer(app);
    const { received_invoice: made } = (await buyer.post('/received-invoices', { memo: '' })).body;
    assert.deepEqual(made.missing, ['company_id', 'issue_date', 'line_items']);
    assert.deepEqual([made.due_date, made.transaction_date, made.totals.total], [null, null, 0]);
    const changed = await buyer.change('invoice', made.id, { ...simple, company_name: '港文具' });
    const { received_invoice: after } = changed.body;
    assert.deepEqual(
      [after.missing, after.due_date, after.transaction_date],
      [[], '2026-12-31', '2026-11-02'],
    );
  });

  test('with a registration number as people write it; it decides whether the invoice is qualified', async () => {
    const buyer = await newBuyer(app);
    const made = await buyer.register('invoice', { registration_number: 'Ｔ７-0000-1205-0002' });
    assert.deepEqual([made.registration_number, made.qualified], ['T7000012050002', true]);
    assert.deepEqual([made.input_tax.basis, made.input_tax.deductible], ['qualified', 10_000]);
    const denied = await buyer.change('invoice', made.id, { qualified: false });
    const { qualified, input_tax } = denied.body.received_invoice;
    assert.deepEqual([qualified, input_tax.basis, input_tax.deductible], [false, 'transitional', 7_000]);
    const again = await buyer.change('invoice', made.id, { qualified: null });
    assert.equal(again.body.received_invoice.qualified, true);
  });

  test('by the payment terms of the company, else those of the settings', async () => {
    const buyer = await newBuyer(app);
    const payment_terms = { closing_day: 'end', months_later: 2, pay_day: 10 };
    const { id } = await buyer.make('/crm/companies', { name: '北商店', payment_terms });
    const made = await buyer.register('invoice', { company_id: id });
    assert.equal(made.due_date, '2027-01-10');
    assert.equal((await buyer.register('quotation', { company_id: id })).due_date, null);
  });

  test('in its number it may have 100 characters', async () => {
    const buyer = await newBuyer(app);
    const number = '9'.repeat(100);
    assert.equal((await buyer.register('invoice', { number })).number, number);
    assert.equal((await buyer.attempt('invoice', { number: `${number}0` })).status, 422);
  });

  test('with its own keys, once', async () => {
    const buyer = await newBuyer(app);
    const external_id = 'erp-1';
    const made = await buyer.register('invoice', { external_id, metadata: { a: '1' } });
    const again = await buyer.attempt('invoice', { external_id });
    assert.deepEqual(
      [again.status, again.body.code, again.body.existing_id],
      [409, 'already_exists', made.id],
    );
    assert.equal((await buyer.attempt('quotation', { external_id })).status, 201);
  });
});

describe('a body is refused', () => {
  const refused: [string, Record<string, unknown>, string, string][] = [
    ['members that are computed', { totals: {} }, '/totals', 'unknown_field'],
    ['a status', { status: 'approved' }, '/status', 'unknown_field'],
    ['qualified: true', { qualified: true }, '/qualified', 'not_allowed'],
    [
      'a registration number of three digits',
      { registration_number: 'T123' },
      '/registration_number',
      'invalid_format',
    ],
    [
      'both forms of the date',
      { transaction_date: '2026-11-01', transaction_period: { from: '2026-10-01', to: '2026-10-31' } },
      '/transaction_period',
      'mutually_exclusive',
    ],
    [
      'a period that ends before it begins',
      { transaction_period: { from: '2026-10-31', to: '2026-10-01' } },
      '/transaction_period/to',
      'before_start',
    ],
    ['book_only without a reason', { deduction_basis: 'book_only' }, '/deduction_reason', 'required'],
    ['a way that only converting has', { received_via: 'convert' }, '/received_via', 'invalid_value'],
    [
      'an account on a text line',
      { line_items: [{ type: 'text', description: '備考', purpose: 'common' }] },
      '/line_items/0/purpose',
      'not_of_text',
    ],
    [
      'more than 1,000 lines',
      { line_items: Array.from({ length: 1_001 }, () => simple.line_items[0]) },
      '/line_items',
      'too_large',
    ],
    [
      'more than 1,000 printed rows',
      { stated_breakdown: Array.from({ length: 1_001 }, () => ({ tax_category: 'standard', gross: 1 })) },
      '/stated_breakdown',
      'too_large',
    ],
  ];
  for (const [what, body, path, code] of refused) {
    test(`with ${what}`, async () => {
      const buyer = await newBuyer(app);
      const reply = await buyer.attempt('invoice', body);
      assert.equal(reply.status, 422, reply.text);
      const found = reply.body.errors.map((error: { path: string; code: string }) => [
        error.path,
        error.code,
      ]);
      assert.deepEqual(found, [[path, code]]);
    });
  }

  test('without a field and a file', async () => {
    const buyer = await newBuyer(app);
    for (const body of [{}, { allow_duplicate: true }]) {
      assert.equal((await buyer.post('/received-invoices', body)).status, 422);
    }
  });

  test('with a due date on a delivery note, and an account or a match on others than invoices', async () => {
    const buyer = await newBuyer(app);
    assert.equal((await buyer.attempt('delivery_note', { due_date: '2026-12-01' })).status, 422);
    assert.equal((await buyer.attempt('quotation', { match_mode: 'two_way' })).status, 422);
    assert.equal((await buyer.attempt('purchase_order', { purchase_order_id: null })).status, 422);
  });

  test('that names what is not there: the company, an account, an order of another company, a line of no order', async () => {
    const buyer = await newBuyer(app);
    const stranger = await newBuyer(app);
    const [line] = simple.line_items;
    const order = await buyer.make('/purchase-orders', { company_id: buyer.company.id, ...simple });
    const other = await buyer.make('/crm/companies', { name: '別の会社' });
    const named: [Record<string, unknown>, string][] = [
      [{ company_id: stranger.company.id }, '/company_id'],
      [{ purchase_order_id: order.id, company_id: other.id }, '/purchase_order_id'],
      [{ purchase_order_id: order.id, company_id: null }, '/purchase_order_id'],
      [
        { line_items: [{ ...line, account_id: 'acc_01kaj2n5w5fq8b4m0g3v7x9rtc' }] },
        '/line_items/0/account_id',
      ],
      [
        { line_items: [{ ...line, purchase_order_line_id: order.line_items[0].id }] },
        '/line_items/0/purchase_order_line_id',
      ],
    ];
    for (const [body, path] of named) {
      const { status, body: problem } = await buyer.attempt('invoice', body);
      assert.deepEqual([status, problem.code, problem.errors[0].path], [422, 'unknown_reference', path]);
    }
    const answered = { ...line, purchase_order_line_id: order.line_items[0].id };
    const made = await buyer.register('invoice', { purchase_order_id: order.id, line_items: [answered] });
    assert.equal(made.purchase_order_id, order.id);
  });
});

describe('a document changes', () => {
  test('in the fields sent, and lines that keep their IDs', async () => {
    const buyer = await newBuyer(app);
    const made = await buyer.register('invoice', { memo: '前' });
    const [line] = made.line_items;
    const reply = await buyer.change('invoice', made.id, {
      subject: '11月分',
      line_items: [
        { description: '送料', unit_price: '800' },
        { id: line.id, description: 'コピー用紙', quantity: '50', unit_price: '1000' },
      ],
    });
    const after = reply.body.received_invoice;
    assert.deepEqual([after.subject, after.memo, after.totals.subtotal], ['11月分', '前', 50_800]);
    assert.equal(after.line_items[1].id, line.id);
    assert.deepEqual(await buyer.read('invoice', made.id), after);
    const unknown = await buyer.change('invoice', made.id, {
      line_items: [{ id: 'li_01kaj2n5w5fq8b4m0g3v7x9rtc', description: '?', unit_price: '1' }],
    });
    assert.deepEqual([unknown.status, unknown.body.errors[0].path], [422, '/line_items/0/id']);
  });

  test('and another company brings its name; nothing changed leaves no trace', async () => {
    const buyer = await newBuyer(app);
    const made = await buyer.register('invoice');
    const other = await buyer.make('/crm/companies', { name: '北商店' });
    const after = (await buyer.change('invoice', made.id, { company_id: other.id })).body.received_invoice;
    assert.equal(after.company_name, '北商店');
    const same = (await buyer.change('invoice', made.id, { company_id: other.id })).body.received_invoice;
    assert.deepEqual(same, after);
    const { items } = (await buyer.get(`/receive/audit-logs?entity_id=${made.id}`)).body;
    assert.equal(items.length, 2);
  });

  test('and keeps the accounts that its lines name from being removed', async () => {
    const buyer = await newBuyer(app);
    const account = await buyer.make('/accounting/accounts', {
      code: 'Z1',
      name: '消耗品',
      account_type: 'expense',
    });
    const [line] = simple.line_items;
    const made = await buyer.register('invoice', { line_items: [{ ...line, account_id: account.id }] });
    const refused = await buyer.delete(`/accounting/accounts/${account.id}`);
    assert.deepEqual([refused.status, refused.body.code], [409, 'in_use']);
    await buyer.change('invoice', made.id, { line_items: [line] });
    assert.equal((await buyer.delete(`/accounting/accounts/${account.id}`)).status, 200);
  });

  test('though its order is not there any more', async () => {
    const buyer = await newBuyer(app);
    const order = await buyer.make('/purchase-orders', { company_id: buyer.company.id, ...simple });
    const made = await buyer.register('invoice', { purchase_order_id: order.id });
    assert.equal((await buyer.delete(`/purchase-orders/${order.id}`)).status, 200);
    const changed = await buyer.change('invoice', made.id, { memo: '発注書なし' });
    assert.equal(changed.status, 200, changed.text);
    const named = await buyer.change('invoice', made.id, { purchase_order_id: order.id });
    assert.deepEqual([named.status, named.body.code], [422, 'unknown_reference']);
  });

  test('only as the caller last saw it', async () => {
    const buyer = await newBuyer(app);
    const made = await buyer.attempt('quotation');
    const etag = made.headers.get('etag')!;
    const path = `/receive-quotations/${made.body.received_quotation.id}`;
    const headers = { 'If-Match': etag };
    assert.equal((await buyer.patch(path, { subject: '1' }, headers)).status, 200);
    assert.equal((await buyer.patch(path, { subject: '2' }, headers)).status, 412);
  });

  test('and is deleted while it has no file; its number is free again', async () => {
    const buyer = await newBuyer(app);
    const made = await buyer.register('invoice', { number: 'A-1' });
    const reply = await buyer.delete(`/received-invoices/${made.id}`);
    assert.equal(reply.status, 200, reply.text);
    assert.equal((await buyer.get(`/received-invoices/${made.id}`)).status, 404);
    assert.equal((await buyer.attempt('invoice', { number: 'A-1' })).status, 201);
  });
});
