import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { kinds, writtenKinds } from '../../../shared/invoicing/documents/kinds.ts';
import { newId } from '../../../shared/kernel/id.ts';
import { startApp } from '../../support/app.ts';
import { newSeller, type Seller } from '../../support/documents.ts';
import { faultsIn } from '../../support/facts.ts';

const app = await startApp();

const line = { description: 'x', unit_price: '100' };

async function faultsOf(seller: Seller, fields: Record<string, unknown>, path = '/invoices') {
  const body = { company_id: seller.company.id, issue_date: '2026-04-01', line_items: [line], ...fields };
  const reply = await seller.post(path, body);
  assert.equal(reply.status, 422, reply.text);
  assert.ok(['validation_failed', 'unknown_reference'].includes(reply.body.code));
  return faultsIn(reply.body);
}

describe('422 validation_failed', () => {
  test('names every fault of a body at its path', async () => {
    const seller = await newSeller(app);
    const refused: [Record<string, unknown>, string[]][] = [
      [{ line_items: [] }, ['/line_items too_small']],
      [{ line_items: Array.from({ length: 1001 }, () => line) }, ['/line_items too_large']],
      [{ line_items: [{ ...line, quantity: 'abc' }] }, ['/line_items/0/quantity invalid_decimal']],
      [{ line_items: [line, { ...line, quantity: '1e3' }] }, ['/line_items/1/quantity invalid_decimal']],
      [{ line_items: [{ ...line, quantity: 'NaN' }] }, ['/line_items/0/quantity invalid_decimal']],
      [{ line_items: [{ ...line, quantity: '123456789' }] }, ['/line_items/0/quantity out_of_range']],
      [{ line_items: [{ ...line, quantity: '0.1234' }] }, ['/line_items/0/quantity out_of_range']],
      [
        { line_items: [{ ...line, unit_price: '12345678901234567890' }] },
        ['/line_items/0/unit_price out_of_range'],
      ],
      [{ line_items: [{ description: 'x' }] }, ['/line_items/0/unit_price required']],
      [{ line_items: [{ unit_price: '1' }] }, ['/line_items/0/description required']],
      [{ line_items: [{ ...line, description: ' ' }] }, ['/line_items/0/description too_short']],
      [{ line_items: [{ ...line, description: 'x'.repeat(501) }] }, ['/line_items/0/description too_long']],
      [
        { line_items: [{ type: 'text', ...line, withholding: true }] },
        ['/line_items/0/unit_price not_of_text', '/line_items/0/withholding not_of_text'],
      ],
      [
        { line_items: [{ ...line, amount: 1, id: newId('li', new Date()) }] },
        ['/line_items/0/amount unknown_field', '/line_items/0/id unknown_field'],
      ],
      [
        { line_items: [{ ...line, source_line_id: newId('li', new Date()) }] },
        ['/line_items/0/source_line_id unknown_field'],
      ],
      [
        { transaction_date: '2026-04-01', transaction_period: { from: '2026-04-01', to: '2026-04-02' } },
        ['/transaction_period mutually_exclusive'],
      ],
      [
        { transaction_period: { from: '2026-04-02', to: '2026-04-01' } },
        ['/transaction_period/to before_start'],
      ],
      [{ issue_date: '2026-02-30' }, ['/issue_date invalid_format']],
      [{ currency: 'USD' }, ['/currency invalid_value']],
      [{ subject: 'x'.repeat(201) }, ['/subject too_long']],
      [
        { memo: 'x'.repeat(10_001), internal_memo: 'x'.repeat(10_001) },
        ['/internal_memo too_long', '/memo too_long'],
      ],
      [
        { totals: {}, status: 'paid', issuer_registration_number: 'T7000012050002' },
        ['/issuer_registration_number unknown_field', '/status unknown_field', '/totals unknown_field'],
      ],
      [
        { delivery_date: '2026-04-01', show_prices: true },
        ['/delivery_date unknown_field', '/show_prices unknown_field'],
      ],
      [{ number: 'a\\b' }, ['/number invalid_format']],
      [{ honorific: '殿' }, ['/honorific invalid_value']],
    ];
    for (const [fields, faults] of refused) {
      const found = await faultsOf(seller, fields);
      assert.deepEqual(found, faults, JSON.stringify(fields).slice(0, 200));
    }
    assert.deepEqual(await faultsOf(seller, { due_date: '2026-05-01' }, '/delivery-notes'), [
      '/due_date unknown_field',
    ]);
  });

  test('names every line whose category has no rate on its day', async () => {
    const seller = await newSeller(app);
    const reduced = { ...line, tax_category: 'reduced' };
    const faults = await faultsOf(seller, {
      transaction_date: '2019-09-30',
      line_items: [reduced, line, { type: 'text', description: 't' }, reduced],
    });
    assert.deepEqual(faults, [
      '/line_items/0/tax_category tax_category_not_in_force',
      '/line_items/3/tax_category tax_category_not_in_force',
    ]);
    const before = await faultsOf(
      seller,
      { transaction_date: '1989-03-31', line_items: [line] },
      '/quotations',
    );
    assert.deepEqual(before, ['/line_items/0/tax_category tax_category_not_in_force']);
  });

  test('amounts have twelve digits: of a line, of a category, and of the whole', async () => {
    const seller = await newSeller(app);
    const priced = (unit_price: string, fields = {}) => ({ ...line, unit_price, ...fields });
    const untaxed = { tax_category: 'exempt' };
    assert.deepEqual(await faultsOf(seller, { line_items: [line, priced('1000000000000', untaxed)] }), [
      '/line_items/1 out_of_range',
    ]);
    assert.deepEqual(await faultsOf(seller, { line_items: [priced('999999999999')] }), [
      '/line_items out_of_range',
    ]);
    const whole = [priced('999999999999', untaxed), priced('1', { tax_category: 'zero_rated' })];
    assert.deepEqual(await faultsOf(seller, { line_items: whole }), ['/line_items out_of_range']);
    const most = await seller.draft('invoice', { line_items: [priced('999999999999', untaxed)] });
    assert.equal(most.balance, 999_999_999_999);
  });

  test('a changed line is one of the document, once', async () => {
    const seller = await newSeller(app);
    const quotation = await seller.draft('quotation');
    const { id } = quotation.line_items[0];
    const lines = [
      { ...line, id },
      { ...line, id },
      { ...line, id: newId('li', new Date()) },
    ];
    const reply = await seller.patch(`/quotations/${quotation.id}`, { line_items: lines });
    assert.equal(reply.status, 422);
    assert.deepEqual(faultsIn(reply.body), [
      '/line_items/1/id duplicate',
      '/line_items/2/id unknown_reference',
    ]);
  });
});

describe('422 unknown_reference', () => {
  test('for customers and contacts of nobody, of others and of merged ones', async () => {
    const seller = await newSeller(app);
    const stranger = await newSeller(app);
    const person = await stranger.make('/crm/contacts', { first_name: 'a', last_name: 'b' });
    for (const company_id of [newId('comp', new Date()), stranger.company.id]) {
      assert.deepEqual(await faultsOf(seller, { company_id }), ['/company_id unknown_reference']);
      const preview = await faultsOf(seller, { company_id }, '/invoices/preview');
      assert.deepEqual(preview, ['/company_id unknown_reference']);
    }
    assert.deepEqual(await faultsOf(seller, { contact_id: person.id }), ['/contact_id unknown_reference']);
    const loser = await seller.make('/crm/companies', { name: 'L' });
    await seller.post(`/crm/companies/${seller.company.id}/merge`, { loser_id: loser.id });
    assert.deepEqual(await faultsOf(seller, { company_id: loser.id }), ['/company_id unknown_reference']);
    const invoice = await seller.draft('invoice');
    const reply = await seller.patch(`/invoices/${invoice.id}`, { company_id: stranger.company.id });
    assert.deepEqual(faultsIn(reply.body), ['/company_id unknown_reference']);
  });
});

describe('404', () => {
  test('documents of others and of another kind are not there', async () => {
    const seller = await newSeller(app);
    const stranger = await newSeller(app);
    for (const kind of writtenKinds) {
      const { id } = await stranger.draft(kind);
      const path = `/${kinds[kind].path}/${id}`;
      for (const reply of [
        await seller.get(path),
        await seller.patch(path, { subject: 'x' }),
        await seller.delete(path),
        await seller.post(`${path}/duplicate`),
      ]) {
        assert.deepEqual([reply.status, reply.body.code], [404, 'not_found']);
      }
    }
  });
});

describe('409', () => {
  test('frozen: an issued document changes in nothing but its internal memo', async () => {
    const seller = await newSeller(app);
    const issued = {
      quotation: await seller.after('quotation', ['send']),
      invoice: await seller.after('invoice', ['approve']),
      delivery_note: await seller.after('delivery_note', ['deliver']),
      purchase_order: await seller.after('purchase_order', ['send']),
    };
    for (const kind of writtenKinds) {
      const path = `/${kinds[kind].path}/${issued[kind].id}`;
      const memo = await seller.patch(path, { internal_memo: '社内' });
      assert.deepEqual([memo.status, memo.body[kind]?.internal_memo], [200, '社内'], memo.text);
      for (const patch of [{ subject: 'x' }, { number: 'N-1' }, { line_items: [line] }]) {
        const reply = await seller.patch(path, { internal_memo: 'y', ...patch });
        assert.deepEqual([reply.status, reply.body.code], [409, 'frozen']);
        assert.deepEqual(faultsIn(reply.body), [`/${Object.keys(patch)[0]} frozen`]);
        assert.equal(reply.body.current_status, issued[kind].status);
      }
      const deleted = await seller.delete(path);
      assert.deepEqual([deleted.status, deleted.body.code], [409, 'invalid_transition']);
      const { internal_memo, updated_at, ...now } = await seller.read(kind, issued[kind].id);
      const { internal_memo: _, updated_at: __, ...then } = issued[kind];
      assert.deepEqual({ ...now, pdf: null }, { ...then, pdf: null });
    }
  });

  test('already_exists: a number is given once to a kind, by hand too', async () => {
    const seller = await newSeller(app);
    await seller.draft('invoice', { number: 'A-1' });
    const second = await seller.draft('invoice');
    const body = {
      company_id: seller.company.id,
      issue_date: '2026-04-01',
      line_items: [line],
      number: 'A-1',
    };
    for (const reply of [
      await seller.post('/invoices', body),
      await seller.patch(`/invoices/${second.id}`, { number: 'A-1' }),
    ]) {
      assert.deepEqual([reply.status, reply.body.code], [409, 'already_exists']);
      assert.deepEqual(faultsIn(reply.body), ['/number already_exists']);
    }
    assert.equal((await seller.post('/quotations', body)).status, 201);
    const taken = await seller.draft('quotation', { number: 'QUO-2026-0001' });
    assert.equal(taken.number, 'QUO-2026-0001');
    assert.equal((await seller.draft('quotation')).number, 'QUO-2026-0002');
  });

  test('already_exists: of many who give a number at once one succeeds', async () => {
    const seller = await newSeller(app);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        seller.post('/invoices', {
          company_id: seller.company.id,
          issue_date: '2026-04-01',
          line_items: [line],
          number: 'B-1',
        }),
      ),
    );
    const statuses = replies.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [201, ...Array.from({ length: 19 }, () => 409)]);
  });

  test('already_exists: a number by hand and one of the counter never meet', async () => {
    const seller = await newSeller(app);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        seller.post('/quotations', {
          company_id: seller.company.id,
          issue_date: '2026-04-01',
          line_items: [line],
          ...(index % 2 === 0 && { number: `QUO-2026-${String(index + 1).padStart(4, '0')}` }),
        }),
      ),
    );
    const numbers = replies.flatMap(({ body }) => body.quotation?.number ?? []);
    assert.equal(new Set(numbers).size, numbers.length);
    assert.ok(replies.every(({ status }) => status === 201 || status === 409));
    assert.ok(replies.filter((_, index) => index % 2 === 1).every(({ status }) => status === 201));
  });
});

describe('412 precondition_failed', () => {
  test('of two changes of one revision one succeeds', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.draft('invoice');
    const etag = (await seller.get(`/invoices/${id}`)).headers.get('etag')!;
    const replies = await Promise.all(
      ['a', 'b'].map((subject) => seller.patch(`/invoices/${id}`, { subject }, { 'If-Match': etag })),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412]);
    const stale = await seller.delete(`/invoices/${id}`, { 'If-Match': etag });
    assert.deepEqual([stale.status, stale.body.code], [412, 'precondition_failed']);
  });
});

describe('403 insufficient_scope', () => {
  test('to read documents and to write them', async () => {
    const reader = await newSeller(app);
    const { id } = await reader.draft('invoice');
    const weak = await app.actor({ scopes: ['crm:read'] });
    assert.equal((await weak.get('/invoices')).body.required_scope, 'invoicing:read');
    assert.equal((await weak.post(`/invoices/${id}/duplicate`)).body.required_scope, 'invoicing:write');
  });
});
