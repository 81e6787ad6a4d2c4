import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { kinds, writtenKinds } from '../../../shared/invoicing/documents/kinds.ts';
import { documentPage } from '../../../shared/invoicing/documents/queries.ts';
import type { Connection } from '../../../shared/kernel/connection.ts';
import { systemActor } from '../../../shared/kernel/reader.ts';
import type { Window } from '../../../shared/kernel/window.ts';
import { startApp } from '../../support/app.ts';
import { newSeller, type Seller } from '../../support/documents.ts';
import { faultsIn } from '../../support/facts.ts';

// The time is the same for all, so that what is overdue is known: 2026-06-15 in Tokyo, the day before in UTC.
const app = await startApp({ now: () => new Date('2026-06-14T18:00:00Z') });

/** The IDs that a list answers, in its order. */
async function listed(seller: Seller, path: string): Promise<string[]> {
  const reply = await seller.get(path);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.items.map(({ id }: { id: string }) => id);
}

/** Sees that each query finds these of the documents, the newest first. */
async function assertFound(
  seller: Seller,
  path: string,
  made: readonly { id: string }[],
  expected: Record<string, readonly number[]>,
): Promise<void> {
  for (const [query, wanted] of Object.entries(expected)) {
    const ids = [...wanted].reverse().map((index) => made[index]!.id);
    assert.deepEqual(await listed(seller, `/${path}?${query}`), ids, query);
    const { total } = (await seller.get(`/${path}?${query}&limit=1`)).body;
    assert.equal(total, ids.length, query);
  }
}

describe('200', () => {
  test('lists show documents as they are read, without their lines, and each kind alone', async () => {
    const seller = await newSeller(app);
    for (const kind of writtenKinds) {
      const made = await seller.draft(kind);
      const { items, total, limit } = (await seller.get(`/${kinds[kind].path}`)).body;
      const { line_items, ...summary } = made;
      assert.deepEqual([items, total], [[summary], 1]);
      assert.equal(limit, kind === 'quotation' ? 20 : 50);
      const most = kind === 'quotation' ? 100 : 200;
      assert.equal((await seller.get(`/${kinds[kind].path}?limit=${most}`)).status, 200);
      assert.equal((await seller.get(`/${kinds[kind].path}?limit=${most + 1}`)).status, 422);
    }
  });

  test('lists warn of a rate that changed within the period, as a single answer does', async () => {
    const seller = await newSeller(app);
    const made = await seller.draft('invoice', {
      transaction_period: { from: '2019-09-01', to: '2019-10-31' },
    });
    const [item] = (await seller.get('/invoices')).body.items;
    assert.ok(made.warnings.some(({ code }: { code: string }) => code === 'period_spans_rate_change'));
    assert.deepEqual(item.warnings, made.warnings);
  });

  test('filters by status, customer, number, subject and days', async () => {
    const seller = await newSeller(app);
    const other = await seller.make('/crm/companies', { name: 'B' });
    const made = [
      await seller.draft('quotation', { subject: '4月分コーヒー豆', issue_date: '2026-04-01' }),
      await seller.draft('quotation', {
        number: '0120-444-1',
        issue_date: '2026-04-30',
        due_date: '2026-05-01',
      }),
      await seller.after('quotation', ['send'], { company_id: other.id, issue_date: '2026-05-01' }),
      await seller.after('quotation', ['send', 'reject'], { subject: '100%_増', due_date: '2026-05-31' }),
    ];
    await assertFound(seller, 'quotations', made, {
      'status=draft': [0, 1],
      'status=rejected': [3],
      [`company_id=${other.id}`]: [2],
      [`company_id=${seller.company.id}&status=draft`]: [0, 1],
      [`search=${encodeURIComponent('コーヒー')}`]: [0],
      'search=0120-444-1': [1],
      'search=0120-44': [1],
      'search=quo-2026': [0, 2, 3],
      [`search=${encodeURIComponent('%_')}`]: [3],
      'search=nothing': [],
      'issue_date_from=2026-04-30': [1, 2],
      'issue_date_to=2026-04-30': [0, 1, 3],
      'issue_date_from=2026-04-30&issue_date_to=2026-04-30': [1],
      'due_date_from=2026-05-01&due_date_to=2026-05-31': [1, 3],
    });
  });

  test('a number or subject that changes is found by what it is now', async () => {
    const seller = await newSeller(app);
    const invoice = await seller.draft('invoice', { number: 'OLD-1', subject: '旧' });
    await seller.patch(`/invoices/${invoice.id}`, { number: 'NEW-1', subject: '新' });
    await assertFound(seller, 'invoices', [invoice], { 'search=old': [], 'search=new-1': [0] });
    await seller.patch(`/invoices/${invoice.id}`, { subject: null });
    await assertFound(seller, 'invoices', [invoice], { [`search=${encodeURIComponent('新')}`]: [] });
  });

  test('the company that was merged finds the documents of its survivor', async () => {
    const seller = await newSeller(app);
    const loser = await seller.make('/crm/companies', { name: 'L' });
    const made = [await seller.draft('invoice', { company_id: loser.id }), await seller.draft('invoice')];
    await seller.post(`/crm/companies/${seller.company.id}/merge`, { loser_id: loser.id });
    await assertFound(seller, 'invoices', made, { [`company_id=${loser.id}`]: [0, 1] });
  });

  test('invoices are filtered by what is outstanding, overdue, due soon and how old it is', async () => {
    const seller = await newSeller(app);
    const due = (due_date: string | null) => seller.after('invoice', ['approve'], { due_date });
    const made = [
      await seller.draft('invoice', { due_date: '2026-01-01' }),
      await due('2026-06-15'),
      await due('2026-06-14'),
      await due('2026-05-15'),
      await due('2026-05-14'),
      await due('2026-04-15'),
      await due('2026-03-17'),
      await due('2026-03-16'),
      await due('2026-06-22'),
      await due('2026-06-23'),
      await due(null),
      await seller.after('invoice', ['approve', 'mark-paid'], { due_date: '2026-01-01' }),
    ];
    const open = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    await assertFound(seller, 'invoices', made, {
      'outstanding=true': open,
      'outstanding=false': [0, 11],
      'overdue=true': [2, 3, 4, 5, 6, 7],
      'overdue=false': [0, 1, 8, 9, 10, 11],
      'due_soon=true': [1, 8],
      'ageing=not_due': [1, 8, 9, 10],
      'ageing=1_30': [2],
      'ageing=31_60': [3, 4],
      'ageing=61_90': [5, 6],
      'ageing=91_plus': [7],
      'overdue=true&status=approved&due_date_to=2026-03-31': [6, 7],
    });
    const shown = await seller.read('invoice', made[3]!.id);
    assert.deepEqual([shown.is_overdue, shown.days_overdue], [true, 31]);
    const paid = await seller.read('invoice', made[11]!.id);
    assert.deepEqual([paid.is_overdue, paid.days_overdue], [false, null]);
  });

  test('approvals are filtered by their day in Tokyo', async () => {
    const seller = await newSeller(app);
    const made = [await seller.after('invoice', ['approve']), await seller.draft('invoice')];
    await assertFound(seller, 'invoices', made, {
      'approved_from=2026-06-15&approved_to=2026-06-15': [0],
      'approved_to=2026-06-14': [],
      'approved_from=2026-06-16': [],
      'approved_to=9999-12-31': [0],
      'approved_from=0001-01-01': [0],
    });
  });

  test('quotations are filtered by whether they expired', async () => {
    const seller = await newSeller(app);
    const past = { due_date: '2026-06-14' };
    const made = [
      await seller.draft('quotation', past),
      await seller.after('quotation', ['send'], past),
      await seller.after('quotation', ['send'], { due_date: '2026-06-15' }),
      await seller.after('quotation', ['send', 'reject'], past),
    ];
    await assertFound(seller, 'quotations', made, { 'expired=true': [1], 'expired=false': [0, 2, 3] });
    assert.equal((await seller.read('quotation', made[1]!.id)).is_expired, true);
  });

  test('orders by day, total and number, by cursor too; what has none stands last', async () => {
    const seller = await newSeller(app);
    const priced = (unit_price: number, fields: Record<string, unknown>) =>
      seller.draft('invoice', { line_items: [{ description: 'x', unit_price }], ...fields });
    const made = [
      await priced(300, { issue_date: '2026-04-02', due_date: '2026-05-01', number: 'B' }),
      await priced(100, { issue_date: '2026-04-03', due_date: null, number: 'A' }),
      await priced(200, { issue_date: '2026-04-01', due_date: '2026-04-01' }),
    ];
    const orders: Record<string, number[]> = {
      issue_date: [2, 0, 1],
      due_date: [2, 0, 1],
      number: [1, 0, 2],
      total: [1, 2, 0],
      created_at: [0, 1, 2],
      updated_at: [0, 1, 2],
    };
    for (const [field, order] of Object.entries(orders)) {
      const ids = order.map((index) => made[index]!.id);
      assert.deepEqual(await listed(seller, `/invoices?sort=${field}:asc`), ids, field);
      const walked: string[] = [];
      for (let after = ''; walked.length < ids.length; after = `&starting_after=${walked.at(-1)}`) {
        const { body } = await seller.get(`/invoices?sort=${field}:asc&cursor_mode=true&limit=1${after}`);
        walked.push(body.data[0].id);
      }
      assert.deepEqual(walked, ids, field);
    }
  });
});

describe('a page', () => {
  test('is full though a document is removed while it is read', async () => {
    const seller = await newSeller(app);
    const made: { id: string }[] = [];
    for (let n = 0; n < 4; n += 1) made.push(await seller.draft('invoice'));
    const window: Window = {
      form: 'page',
      limit: 2,
      offset: 0,
      starting_after: null,
      sort: [],
      created_after: null,
      created_before: null,
      updated_after: null,
      updated_before: null,
      count: false,
    };
    const { organization_id } = seller;
    const page = await app.database.withConnection(organization_id, (connection) => {
      let is_first = true;
      const query: Connection['query'] = async (text, ...rest) => {
        const isRows = /asked\.id = ANY/.test(text);
        if (isRows && is_first) {
          is_first = false;
          assert.equal((await seller.delete(`/invoices/${made[3]!.id}`)).status, 200);
        }
        return connection.query(text, ...rest);
      };
      const reader = {
        connection: { ...connection, query },
        organization_id,
        actor: systemActor,
        now: new Date(),
        request_id: null,
        ip_address: null,
      };
      return documentPage(reader, 'invoice', {}, window);
    });
    assert.deepEqual(
      page.rows.map(({ id }) => id),
      [made[2]!.id, made[1]!.id],
    );
    assert.equal(page.has_more, true);
  });
});

describe('422 validation_failed', () => {
  test('for filters of another kind, unknown ones and wrong values', async () => {
    const seller = await newSeller(app);
    const refused: Record<string, string> = {
      '/quotations?overdue=true': 'overdue unknown_parameter',
      '/delivery-notes?expired=true': 'expired unknown_parameter',
      '/invoices?status=accepted': 'status invalid_value',
      '/invoices?issue_date_from=2026-02-30': 'issue_date_from invalid_format',
      '/invoices?ageing=old': 'ageing invalid_value',
      '/invoices?company_id=x': 'company_id invalid_id',
    };
    for (const [path, fault] of Object.entries(refused)) {
      const reply = await seller.get(path);
      assert.deepEqual([reply.status, faultsIn(reply.body)], [422, [fault]], path);
    }
  });
});
