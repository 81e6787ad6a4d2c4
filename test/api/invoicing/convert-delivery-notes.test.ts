import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newSeller, type Seller } from '../../support/documents.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';

const app = await startApp({ now: () => new Date('2026-04-30T03:00:00Z') });

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const delivered = (seller: Seller, fields: Record<string, unknown> = {}) =>
  seller.after('delivery_note', ['deliver'], fields);

const convert = (seller: Seller, note: Shown, body?: unknown) =>
  seller.act('delivery_note', note.id, 'convert', body);

/** Each line's source and quantity. */
const parts = (invoice: Shown) =>
  invoice.line_items.map((line: Shown) => [line.source_line_id, line.quantity]);

describe('several delivery notes become one invoice', () => {
  test('in the order that is asked for, the tax found once for all', async () => {
    const seller = await newSeller(app);
    const line = { description: '豆', quantity: '1', unit_price: '105', tax_category: 'reduced' };
    const notes = [
      await delivered(seller, { delivery_date: '2026-04-03', memo: '一', line_items: [line] }),
      await delivered(seller, { delivery_date: '2026-04-01', memo: '二', line_items: [line] }),
      await delivered(seller, { delivery_date: '2026-04-20', memo: '三', line_items: [line] }),
    ];
    const [one, two, three] = notes;
    assert.equal(one.totals.tax, 8);
    const ids = [two, three, one].map(({ id }) => id);
    const told = await toldBy(app, seller.organization_id, async () => {
      const { status, body } = await convert(seller, one, { delivery_note_ids: ids });
      assert.equal(status, 201);
      const { invoice } = body;
      assert.equal(invoice.totals.tax, 25);
      assert.deepEqual(
        parts(invoice),
        [two, three, one].map((note) => [note.line_items[0].id, '1']),
      );
      assert.equal(invoice.memo, '二');
      assert.equal(invoice.issue_date, '2026-04-30');
      assert.deepEqual(
        [invoice.transaction_date, invoice.transaction_period],
        [null, { from: '2026-04-01', to: '2026-04-20' }],
      );
      const sources = notes.map(({ id }) => ({ type: 'delivery_note', id }));
      assert.deepEqual([...invoice.source].sort(byId), sources.sort(byId));
    });
    assert.deepEqual(
      told.events.map(({ type, data }) => [type, data.source_id ?? null]),
      [['invoice.created', null], ...ids.map((id) => ['conversion.completed', id])],
    );
  });

  test('of one day, with that day; and without delivery dates, with the day or period that they name', async () => {
    const seller = await newSeller(app);
    const [one, two] = [
      await delivered(seller, { delivery_date: '2026-04-03' }),
      await delivered(seller, { delivery_date: '2026-04-03' }),
    ];
    const same = await convert(seller, one, { delivery_note_ids: [two.id] });
    assert.equal(same.body.invoice.transaction_date, '2026-04-03');
    const [three, four] = [
      await delivered(seller, { transaction_period: { from: '2026-03-10', to: '2026-03-31' } }),
      await delivered(seller, { issue_date: '2026-03-05' }),
    ];
    const { body } = await convert(seller, three, { delivery_note_ids: [four.id] });
    assert.deepEqual(body.invoice.transaction_period, { from: '2026-03-05', to: '2026-03-31' });
  });

  test('with the rates of the day of delivery', async () => {
    const seller = await newSeller(app);
    const note = await delivered(seller, {
      issue_date: '2019-09-30',
      line_items: [{ description: '豆', unit_price: '1000' }],
    });
    assert.equal((await convert(seller, note)).body.invoice.totals.tax, 80);
  });
});

describe('a delivery note becomes invoices in parts', () => {
  test('of what is asked for, then of all that is left with the texts between', async () => {
    const seller = await newSeller(app);
    const note = await delivered(seller, {
      line_items: [
        { type: 'text', description: '4月分' },
        { description: '豆', quantity: '10.5', unit_price: '1000' },
        { description: '返品', quantity: '-2', unit_price: '1000' },
        { description: '取寄せ', quantity: '0', unit_price: '1000' },
      ],
    });
    const [, beans, returned] = note.line_items;
    const asked = [{ source_line_id: returned.id }, { source_line_id: beans.id, quantity: '4.2' }];
    const first = (await convert(seller, note, { lines: asked })).body.invoice;
    assert.deepEqual(parts(first), [
      [beans.id, '4.2'],
      [returned.id, '-2'],
    ]);
    assert.ok((await seller.read('delivery_note', note.id)).available_actions.includes('convert'));
    const second = (await convert(seller, note)).body.invoice;
    assert.deepEqual(
      parts(second),
      [
        [null, null],
        [beans.id, '6.3'],
      ].map(([source, quantity], place) => [source ?? note.line_items[place].id, quantity]),
    );
    const { status, body } = await convert(seller, note);
    assert.deepEqual([status, body.code], [409, 'invalid_transition']);
    assert.deepEqual(body.available_actions, (await seller.read('delivery_note', note.id)).available_actions);
  });

  test('deleting the draft or cancelling the invoice frees what it held', async () => {
    const seller = await newSeller(app);
    const note = await delivered(seller);
    const [line] = note.line_items;
    const part = (quantity: string) => ({ lines: [{ source_line_id: line.id, quantity }] });
    const draft = (await convert(seller, note, part('6'))).body.invoice;
    const issued = (await convert(seller, note, part('4'))).body.invoice;
    await seller.act('invoice', issued.id, 'approve');
    assert.deepEqual(faultsIn((await convert(seller, note, part('1'))).body), [
      '/lines/0/quantity exceeds_open',
    ]);
    await seller.delete(`/invoices/${draft.id}`);
    assert.deepEqual(faultsIn((await convert(seller, note, part('7'))).body), [
      '/lines/0/quantity exceeds_open',
    ]);
    assert.equal((await convert(seller, note, part('6'))).status, 201);
    await seller.act('invoice', issued.id, 'cancel', { reason: '誤り' });
    assert.equal((await convert(seller, note, part('4'))).status, 201);
  });

  test('a changed draft holds what its lines then say', async () => {
    const seller = await newSeller(app);
    const note = await delivered(seller);
    const draft = (await convert(seller, note)).body.invoice;
    const [{ id, description, unit_price }] = draft.line_items;
    await seller.patch(`/invoices/${draft.id}`, {
      line_items: [{ id, description, unit_price, quantity: '3' }],
    });
    const { invoice } = (await convert(seller, note)).body;
    assert.deepEqual(
      parts(invoice),
      note.line_items.map((line: Shown, place: number) => [line.id, ['7', '4'][place]]),
    );
  });
});

describe('409', () => {
  test('invalid_transition: a note among them was not delivered yet', async () => {
    const seller = await newSeller(app);
    const [one, draft] = [await delivered(seller), await seller.draft('delivery_note')];
    const { status, body } = await convert(seller, one, { delivery_note_ids: [draft.id] });
    assert.deepEqual([status, body.code, body.current_status], [409, 'invalid_transition', 'draft']);
    assert.deepEqual((await seller.read('delivery_note', one.id)).converted_to, []);
  });
});

describe('422', () => {
  test('modes_differ: tax mode, rounding and withholding must be alike', async () => {
    const seller = await newSeller(app);
    const one = await delivered(seller);
    for (const mode of [
      { tax_display_mode: 'inclusive' },
      { tax_rounding: 'ceil' },
      { withholding_mode: 'net' },
    ]) {
      const other = await delivered(seller, mode);
      const { status, body } = await convert(seller, one, { delivery_note_ids: [other.id] });
      assert.deepEqual([status, body.code], [422, 'modes_differ']);
      assert.match(body.detail, new RegExp(Object.keys(mode)[0]!));
    }
  });

  test('notes of another company, unknown ones, and one twice', async () => {
    const seller = await newSeller(app);
    const company = await seller.make('/crm/companies', { name: '別会社' });
    const [one, other] = [await delivered(seller), await delivered(seller, { company_id: company.id })];
    const foreign = await convert(seller, one, { delivery_note_ids: [other.id] });
    assert.deepEqual(faultsIn(foreign.body), ['/delivery_note_ids/0 other_company']);
    const stranger = await delivered(await newSeller(app));
    const unknown = await convert(seller, one, { delivery_note_ids: [one.id, stranger.id] });
    assert.deepEqual(
      [unknown.body.code, faultsIn(unknown.body)],
      ['unknown_reference', ['/delivery_note_ids/1 unknown_reference']],
    );
    const twice = await convert(seller, one, { delivery_note_ids: [one.id, one.id] });
    assert.deepEqual(faultsIn(twice.body), ['/delivery_note_ids/1 duplicate']);
  });

  test('more lines together than a document may have', async () => {
    const seller = await newSeller(app);
    const line_items = Array.from({ length: 501 }, () => ({ description: '豆', unit_price: '10' }));
    const [one, two] = [await delivered(seller, { line_items }), await delivered(seller, { line_items })];
    const { status, body } = await convert(seller, one, { delivery_note_ids: [two.id] });
    assert.deepEqual([status, faultsIn(body)], [422, ['/delivery_note_ids too_many_lines']]);
    assert.equal((await convert(seller, one)).body.invoice.line_items.length, 501);
  });

  test('a draft may not be raised beyond what is open, and says how much that is', async () => {
    const seller = await newSeller(app);
    const note = await delivered(seller, {
      line_items: [
        { description: '豆', quantity: '10', unit_price: '1000' },
        { description: '返品', quantity: '-2', unit_price: '1000' },
      ],
    });
    const [beans, returned] = note.line_items;
    const part = [{ source_line_id: beans.id, quantity: '4' }, { source_line_id: returned.id }];
    const draft = (await convert(seller, note, { lines: part })).body.invoice;
    await convert(seller, note, { lines: [{ source_line_id: beans.id, quantity: '5' }] });
    const change = (quantities: string[]) => {
      const line_items = draft.line_items.map(({ id, description }: Shown, place: number) => {
        return { id, description, unit_price: '900', quantity: quantities[place] };
      });
      const more = { description: '送料', unit_price: '500' };
      return seller.patch(`/invoices/${draft.id}`, { line_items: [...line_items, more] });
    };
    const refused: [string[], string[]][] = [
      [['5.001', '-2'], ['/line_items/0/quantity exceeds_open']],
      [
        ['-1', '-2.5'],
        ['/line_items/0/quantity exceeds_open', '/line_items/1/quantity exceeds_open'],
      ],
      [['5', '1'], ['/line_items/1/quantity exceeds_open']],
    ];
    for (const [quantities, faults] of refused) {
      const { status, body } = await change(quantities);
      assert.deepEqual([status, body.code, faultsIn(body)], [422, 'validation_failed', faults]);
    }
    assert.match((await change(['6', '-2'])).body.detail, new RegExp(`Of ${beans.id} 5 can be invoiced`));
    assert.equal((await change(['5', '-1'])).status, 200);
  });

  test('a revision may not take what another invoice took while it was open', async () => {
    const seller = await newSeller(app);
    const note = await delivered(seller);
    const [line] = note.line_items;
    const part = (quantity: string) =>
      convert(seller, note, { lines: [{ source_line_id: line.id, quantity }] });
    const old = (await part('6')).body.invoice;
    await seller.act('invoice', old.id, 'approve');
    const { invoice } = (await seller.act('invoice', old.id, 'revise')).body;
    const raise = (quantity: string) => {
      const [{ id, description, unit_price }] = invoice.line_items;
      const line_items = [{ id, description, unit_price, quantity }];
      return seller.patch(`/invoices/${invoice.id}`, { line_items });
    };
    assert.equal((await raise('10')).status, 200);
    assert.equal((await part('3')).status, 201);
    const { status, body } = await seller.act('invoice', invoice.id, 'approve');
    assert.deepEqual([status, faultsIn(body)], [422, ['/line_items/0/quantity exceeds_open']]);
    assert.equal((await seller.read('invoice', old.id)).status, 'approved');
    assert.equal((await raise('7')).status, 200);
    assert.equal((await seller.act('invoice', invoice.id, 'approve')).status, 200);
  });

  test('lines of other notes, texts, a line twice, and quantities that are not open', async () => {
    const seller = await newSeller(app);
    const note = await delivered(seller, {
      line_items: [
        { description: '豆', quantity: '10', unit_price: '1000' },
        { type: 'text', description: '備考' },
      ],
    });
    const other = await delivered(seller);
    const [line, words] = note.line_items;
    const refused: [Record<string, unknown>[], string[]][] = [
      [[{ source_line_id: other.line_items[0].id }], ['/lines/0/source_line_id unknown_reference']],
      [[{ source_line_id: words.id }], ['/lines/0/source_line_id text_line']],
      [
        [{ source_line_id: line.id, quantity: '1' }, { source_line_id: line.id }],
        ['/lines/1/source_line_id duplicate'],
      ],
      [[{ source_line_id: line.id, quantity: '10.001' }], ['/lines/0/quantity exceeds_open']],
      [[{ source_line_id: line.id, quantity: '0' }], ['/lines/0/quantity exceeds_open']],
      [[{ source_line_id: line.id, quantity: '-1' }], ['/lines/0/quantity exceeds_open']],
      [[{ source_line_id: line.id, quantity: '1e1' }], ['/lines/0/quantity invalid_decimal']],
    ];
    for (const [lines, faults] of refused) {
      const { status, body } = await convert(seller, note, { lines });
      assert.equal(status, 422);
      assert.deepEqual(faultsIn(body), faults);
    }
    assert.deepEqual((await seller.read('delivery_note', note.id)).converted_to, []);
  });
});

function byId(left: { id: string }, right: { id: string }): number {
  return left.id < right.id ? -1 : 1;
}
