import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { type Buyer, newBuyer } from '../../support/received.ts';

const app = await startApp();
const buyer = await newBuyer(app);

const line = (unit_price: string) => [{ description: 'コピー用紙', quantity: '1', unit_price }];

const paper = await buyer.register('invoice', {
  number: 'A-2026-001',
  subject: '10月分コピー用紙',
  registration_number: 'T7000012050002',
  issue_date: '2026-10-05',
  due_date: '2026-10-31',
  line_items: line('100000'),
});
const toner = await buyer.register('invoice', {
  number: 'B-77',
  issue_date: '2026-10-20',
  transaction_period: { from: '2026-09-01', to: '2026-09-30' },
  due_date: '2026-11-10',
  line_items: line('2000'),
});
const nameless = await buyer.register('invoice', {
  company_id: null,
  company_name: '勅使河原文具店',
  issue_date: null,
  line_items: [],
  stated_breakdown: [{ tax_category: 'standard', gross: 550, tax: 50 }],
});
const offer = await buyer.register('quotation', {
  number: 'Q-1',
  issue_date: '2026-10-06',
  line_items: line('300'),
});
const order = await buyer.register('purchase_order', {
  issue_date: '2026-10-07',
  line_items: line('400'),
  external_id: 'K-1',
});
const note = await buyer.register('delivery_note', {
  issue_date: '2026-10-08',
  line_items: line('500'),
  external_id: 'K-2',
});

/** Days since another one, in the zone of organizations that chose none. */
const daysSince = (day: string) =>
  Temporal.PlainDate.from(day).until(Temporal.Now.plainDateISO('Asia/Tokyo')).days;

async function ids(client: Buyer, path: string): Promise<string[]> {
  const reply = await client.get(path);
  assert.equal(reply.status, 200, reply.text);
  return (reply.body.items ?? reply.body.data).map(({ id }: { id: string }) => id);
}

describe('the list of received invoices', () => {
  for (const [asked, found] of [
    ['', [nameless, toner, paper]],
    ['status=pending', [nameless, toner, paper]],
    ['status=approved,paid', []],
    [`company_id=${buyer.company.id}`, [toner, paper]],
    ['number=A-2026-001', [paper]],
    ['number=A-2026', []],
    ['number=B-77&status=pending', [toner]],
    ['search=コピー用紙', [paper]],
    ['search=t7000012050002', [paper]],
    ['search=勅使河原', [nameless]],
    ['issue_date_from=2026-10-05&issue_date_to=2026-10-05', [paper]],
    ['due_date_from=2026-11-01', [toner]],
    ['transaction_date_from=2026-09-30&transaction_date_to=2026-09-30', [toner]],
    ['total_min=550&total_max=2200', [nameless, toner]],
    ['has_file=true', []],
    ['has_file=false&sort=total:asc', [nameless, toner, paper]],
    ['incomplete=true', [nameless]],
    ['qualified=true', [paper]],
    ['has_journal=true', []],
    [`sha256=${'0'.repeat(64)}`, []],
    ['sort=issue_date:asc&issue_date_from=2026-01-01', [paper, toner]],
    ['sort=transaction_date:asc&qualified=false', [toner, nameless]],
    ['sort=number:desc&incomplete=false', [toner, paper]],
  ] as const) {
    test(`answers ?${asked}`, async () => {
      assert.deepEqual(
        await ids(buyer, `/received-invoices?${encodeURI(asked)}`),
        found.map(({ id }) => id),
      );
    });
  }

  test('bounds totals below 0 too', async () => {
    const buyer = await newBuyer(app);
    const back = await buyer.register('invoice', {
      line_items: [{ description: '返品', unit_price: '-100' }],
    });
    await buyer.register('invoice');
    const reply = await buyer.get('/received-invoices?total_min=-110&total_max=-1');
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual(
      reply.body.items.map(({ id }: { id: string }) => id),
      [back.id],
    );
  });

  test('knows what is overdue', async () => {
    const { id } = await buyer.register('invoice', {
      number: 'L-1',
      issue_date: '2026-01-05',
      due_date: '2026-01-31',
    });
    assert.deepEqual(await ids(buyer, '/received-invoices?overdue=true'), []);
    const approved = await buyer.act('invoice', id, 'approve', {});
    assert.equal(approved.status, 200, approved.text);
    assert.deepEqual(await ids(buyer, '/received-invoices?overdue=true'), [id]);
    const first = daysSince('2026-01-31');
    const { is_overdue, days_overdue } = await buyer.read('invoice', id);
    assert.equal(is_overdue, true);
    assert.ok(days_overdue >= first && days_overdue <= daysSince('2026-01-31'), `${days_overdue} days`);
    const { is_overdue: is_late, days_overdue: late } = await buyer.read('invoice', paper.id);
    assert.deepEqual([is_late, late], [false, null]);
    assert.deepEqual(await ids(buyer, '/received-invoices?overdue=false&total_max=2200'), [
      nameless.id,
      toner.id,
    ]);
    const removed = await buyer.act('invoice', id, 'reopen', {});
    assert.equal(removed.status, 200, removed.text);
    assert.equal((await buyer.delete(`/received-invoices/${id}`)).status, 200);
  });

  test('refuses what it does not know', async () => {
    for (const asked of [
      'qualified=yes',
      'total_min=1.5',
      'sha256=abc',
      'status=fulfilled',
      'sort=memo:asc',
    ]) {
      assert.equal((await buyer.get(`/received-invoices?${asked}`)).status, 422, asked);
    }
    assert.equal((await buyer.get('/receive-quotations?qualified=true')).status, 422);
  });
});

describe('the list of all kinds', () => {
  const all = [note, order, offer, nameless, toner, paper];

  test('has the latest first, in pages of any form', async () => {
    assert.deepEqual(
      await ids(buyer, '/receive/documents'),
      all.map(({ id }) => id),
    );
    const first = await buyer.get('/receive/documents?limit=4');
    const rest = await ids(buyer, `/receive/documents?starting_after=${first.body.items.at(-1).id}`);
    assert.deepEqual(rest, [toner.id, paper.id]);
    assert.equal((await buyer.get(`/receive/documents?starting_after=${buyer.company.id}`)).status, 400);
  });

  for (const [asked, found] of [
    ['kind=invoice', [nameless, toner, paper]],
    ['kind=delivery_note&status=pending', [note]],
    ['partner=港文具', [note, order, offer, toner, paper]],
    ['partner=勅使河原', [nameless]],
    ['transaction_date_from=2026-10-06&transaction_date_to=2026-10-08', [note, order, offer]],
    ['total_max=550&sort=total:asc', [offer, order, note, nameless]],
    ['sort=transaction_date:asc&limit=2', [toner, paper]],
    ['sort=created_at:asc&limit=2', [paper, toner]],
    ['sort=issue_date:asc&limit=4', [paper, offer, order, note]],
    ['sort=issue_date:desc&limit=2', [nameless, toner]],
    ['sort=number:asc&limit=3', [paper, toner, offer]],
    ['sort=due_date:asc&limit=2', [paper, toner]],
    ['number=Q-1', [offer]],
    ['number=Q-1&kind=invoice', []],
    ['external_id=K-1,K-2,K-3', [note, order]],
    ['external_id=K-1&kind=delivery_note', []],
  ] as const) {
    test(`answers ?${asked}`, async () => {
      assert.deepEqual(
        await ids(buyer, `/receive/documents?${encodeURI(asked)}`),
        found.map(({ id }) => id),
      );
    });
  }

  /** What documents are sorted by; the day of a transaction is the last one of a period. */
  const orders: Record<string, (shown: (typeof all)[number]) => string | number | null> = {
    created_at: ({ created_at }) => created_at,
    issue_date: ({ issue_date }) => issue_date,
    due_date: ({ due_date = null }) => due_date,
    transaction_date: ({ transaction_date, transaction_period, received_on }) =>
      transaction_period?.to ?? transaction_date ?? received_on,
    total: ({ totals }) => totals.total,
    number: ({ number }) => number,
  };
  for (const [field, keyOf] of Object.entries(orders)) {
    test(`has them by ${field} in pages either way, those without one as the largest`, async () => {
      const compare = (one: (typeof all)[number], other: (typeof all)[number]) => {
        const [a, b] = [keyOf(one), keyOf(other)];
        if (a === b) return one.id < other.id ? -1 : 1;
        return b === null || (a !== null && a < b) ? -1 : 1;
      };
      const rising = all.toSorted(compare).map(({ id }) => id);
      for (const [direction, expected] of [
        ['asc', rising],
        ['desc', rising.toReversed()],
      ] as const) {
        const path = `/receive/documents?limit=2&sort=${field}:${direction}`;
        const paged = await ids(buyer, path);
        for (let page = paged; page.length === 2; paged.push(...page))
          page = await ids(buyer, `${path}&starting_after=${paged.at(-1)}`);
        assert.deepEqual(paged, expected, direction);
        assert.deepEqual(await ids(buyer, `${path}&offset=3`), expected.slice(3, 5), direction);
        const { total } = (await buyer.get(`${path}&total_min=0`)).body;
        assert.equal(total, all.length);
      }
    });
  }

  test('says the kind of each, and what all kinds have', async () => {
    const { body } = await buyer.get('/receive/documents?kind=purchase_order');
    const { kind, id, object, totals, line_items } = body.items[0];
    assert.deepEqual(
      { kind, id, object, total: totals.total, line_items },
      {
        kind: 'purchase_order',
        id: order.id,
        object: 'received.purchase_order',
        total: 440,
        line_items: undefined,
      },
    );
  });

  test('is that of one organization', async () => {
    assert.deepEqual(await ids(await newBuyer(app), '/receive/documents'), []);
  });
});
