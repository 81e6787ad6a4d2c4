import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newSeller, type Seller } from '../../support/documents.ts';
import { faultsIn } from '../../support/facts.ts';

const app = await startApp();

/** 10 x 1,000 at 10 % and 4 x 250 at 8 %. */
const TOTAL = 12_080;

const credit = (seller: Seller, { id }: { id: string }, body: Record<string, unknown> = {}) =>
  seller.post(`/invoices/${id}/credit-notes`, { reason: '返品', issue_date: '2026-05-01', ...body });

const settled = ({ status, credited, balance }: Record<string, unknown>) => [status, credited, balance];

describe('404', () => {
  test('no such invoice or credit note in the organization', async () => {
    const seller = await newSeller(app);
    const invoice = await seller.after('invoice', ['approve']);
    const { credit_note: note } = (await credit(seller, invoice)).body;
    const stranger = await newSeller(app);
    for (const reply of [
      await credit(stranger, invoice),
      await stranger.get(`/invoices/${invoice.id}/credit-notes`),
      await stranger.get(`/credit-notes/${note.id}`),
      await seller.get(`/credit-notes/${invoice.id}`),
    ]) {
      assert.deepEqual([reply.status, reply.body.code], [404, 'not_found']);
    }
  });
});

describe('409', () => {
  test('drafts and cancelled invoices are not credited', async () => {
    const seller = await newSeller(app);
    for (const ways of [[], ['approve', 'cancel']]) {
      const invoice = await seller.after('invoice', ways);
      const reply = await credit(seller, invoice);
      assert.deepEqual([reply.status, reply.body.code], [409, 'invalid_transition']);
      assert.equal(reply.body.current_status, invoice.status);
    }
  });

  test('a credited invoice is not cancelled', async () => {
    const seller = await newSeller(app);
    const invoice = await seller.after('invoice', ['approve']);
    await credit(seller, invoice);
    const reply = await seller.act('invoice', invoice.id, 'cancel');
    assert.deepEqual([reply.status, reply.body.code], [409, 'has_credit_notes']);
  });
});

describe('422', () => {
  test('over_credit: more than is left, of a line, of a category, of anything', async () => {
    const seller = await newSeller(app);
    const invoice = await seller.after('invoice', ['approve']);
    const [beans] = invoice.line_items;
    for (const [line, fault] of [
      [{ source_line_id: beans.id, quantity: '10.001' }, '/line_items/0/quantity over_credit'],
      [{ description: '値引き', unit_price: '1001', tax_category: 'reduced' }, '/line_items over_credit'],
    ] as const) {
      const reply = await credit(seller, invoice, { line_items: [line] });
      assert.deepEqual([reply.status, reply.body.code], [422, 'over_credit']);
      assert.deepEqual(faultsIn(reply.body), [fault]);
    }
    await credit(seller, invoice);
    const again = await credit(seller, invoice);
    assert.deepEqual([again.status, again.body.code], [422, 'over_credit']);
    assert.equal((await seller.get(`/invoices/${invoice.id}/credit-notes`)).body.total, 1);
  });

  test('unknown_reference: a line of another invoice', async () => {
    const seller = await newSeller(app);
    const invoice = await seller.after('invoice', ['approve']);
    const other = await seller.after('invoice', ['approve']);
    const reply = await credit(seller, invoice, { line_items: [{ source_line_id: other.line_items[0].id }] });
    assert.deepEqual([reply.status, reply.body.code], [422, 'unknown_reference']);
    assert.deepEqual(faultsIn(reply.body), ['/line_items/0/source_line_id unknown_reference']);
  });

  test('what a credit note cannot be', async () => {
    const seller = await newSeller(app);
    const invoice = await seller.after('invoice', ['approve']);
    const source_line_id = invoice.line_items[0].id;
    for (const [body, fault] of [
      [{ reason: undefined }, '/reason required'],
      [{ reason: '  ' }, '/reason too_short'],
      [{ line_items: [] }, '/line_items too_small'],
      [{ line_items: [{ unit_price: '1' }] }, '/line_items/0/description required'],
      [{ line_items: [{ description: 'x' }] }, '/line_items/0/unit_price required'],
      [{ line_items: [{ source_line_id, quantity: '1e3' }] }, '/line_items/0/quantity invalid_decimal'],
      [{ line_items: [{ source_line_id, unit_price: '1' }] }, '/line_items/0/unit_price mutually_exclusive'],
      [
        { line_items: [{ type: 'text', description: 'x', unit_price: '1' }] },
        '/line_items/0/unit_price not_of_text',
      ],
      [{ issue_date: 'yesterday' }, '/issue_date invalid_format'],
      [{ number: 'CN-1' }, '/number unknown_field'],
    ] as const) {
      const reply = await credit(seller, invoice, body);
      assert.equal(reply.status, 422, reply.text);
      assert.deepEqual(faultsIn(reply.body), [fault]);
    }
  });
});

describe('credit notes at once', () => {
  test('20 of all that is left: one is made', async () => {
    const seller = await newSeller(app);
    const invoice = await seller.after('invoice', ['approve', 'mark-paid']);
    const replies = await Promise.all(Array.from({ length: 20 }, () => credit(seller, invoice)));
    const codes = replies.map(({ status, body }) => body.code ?? status);
    assert.deepEqual(codes.toSorted(), [201, ...Array(19).fill('over_credit')]);
    assert.deepEqual(settled(await seller.read('invoice', invoice.id)), ['paid', TOTAL, -TOTAL]);
  });

  test('one of each line of many invoices: consecutive numbers, each once', async () => {
    const seller = await newSeller(app);
    const invoices = await Promise.all(Array.from({ length: 6 }, () => seller.after('invoice', ['approve'])));
    const replies = await Promise.all(
      invoices.flatMap((invoice) =>
        invoice.line_items.map(({ id }: { id: string }) =>
          credit(seller, invoice, { line_items: [{ source_line_id: id }] }),
        ),
      ),
    );
    const numbers = replies.map(({ body }) => body.credit_note.number).sort();
    assert.deepEqual(
      numbers,
      Array.from({ length: 12 }, (_, index) => `CN-2026-${String(index + 1).padStart(4, '0')}`),
    );
    for (const { id } of invoices) {
      assert.deepEqual(settled(await seller.read('invoice', id)), ['approved', TOTAL, 0]);
    }
  });
});
