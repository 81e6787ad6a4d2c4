import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { ageingBuckets } from '../../../shared/invoicing/documents/due.ts';
import { daysBetween, daysLater } from '../../../shared/kernel/days.ts';
import { startApp } from '../../support/app.ts';
import { newSeller, type Seller } from '../../support/documents.ts';
import { faultsIn } from '../../support/facts.ts';

/** In Tokyo it is the 15th already. */
const NOW = new Date('2026-06-14T20:00:00.000Z');
const TODAY = '2026-06-15';

const app = await startApp({ now: () => NOW });

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

/** All rows of a list. */
async function all(seller: Seller, path: string, query: Record<string, unknown>): Promise<Shown[]> {
  const given = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const asked = new URLSearchParams([...given, ['limit', '100']]);
  const { body, text } = await seller.get(`${path}?${asked}`);
  assert.ok(body.items, text);
  assert.equal(body.items.length, body.total, 'the list has one page');
  return body.items;
}

const sum = (rows: Shown[], of: (row: Shown) => number) => rows.reduce((total, row) => total + of(row), 0);
const byTotal = (rows: Shown[]) => ({ count: rows.length, amount: sum(rows, ({ totals }) => totals.total) });
const byBalance = (rows: Shown[]) => ({ count: rows.length, amount: sum(rows, ({ balance }) => balance) });

type Period = { from: string | null; to: string | null };

/** What the dashboard of a period should say, from lists alone. */
async function expected(seller: Seller, { from, to }: Period, months: string[]) {
  const issued = { ...(from && { issue_date_from: from }), ...(to && { issue_date_to: to }) };
  const invoices = (query: Record<string, unknown>) => all(seller, '/invoices', { ...issued, ...query });
  const quotations = (status: string) => all(seller, '/quotations', { ...issued, status });
  const of = async (status: string) => byTotal(await invoices({ status }));
  const outstanding = await invoices({ outstanding: true });
  const paid = await invoices({ status: 'paid' });
  const days = sum(paid, ({ issue_date, paid_on }) => daysBetween(issue_date, paid_on));
  const companies = [...Map.groupBy(outstanding, ({ company_id }) => company_id)].map(
    ([company_id, rows]) => ({
      company_id,
      count: rows.length,
      balance: byBalance(rows).amount,
    }),
  );
  companies.sort((one, other) => other.balance - one.balance || (one.company_id < other.company_id ? -1 : 1));
  const ageing = [];
  for (const bucket of ageingBuckets)
    ageing.push({ bucket, ...byBalance(await invoices({ ageing: bucket })) });
  const byMonth = [];
  for (const month of months) {
    const last = daysLater(`${month}-28`, 31).slice(0, 8);
    const end = daysLater(`${last}01`, -1);
    const within = { issue_date_from: `${month}-01`, issue_date_to: end };
    const living = (await all(seller, '/invoices', within)).filter(
      ({ status }) => status !== 'draft' && status !== 'cancelled',
    );
    const payments = await all(seller, '/payments', { paid_from: `${month}-01`, paid_to: end });
    byMonth.push({ month, issued: byTotal(living).amount, collected: sum(payments, ({ amount }) => amount) });
  }
  return {
    from,
    to,
    as_of: TODAY,
    draft: await of('draft'),
    approved: await of('approved'),
    outstanding: byBalance(outstanding),
    overdue: byBalance(await invoices({ overdue: true })),
    due_soon: byBalance(await invoices({ due_soon: true })),
    paid: byTotal(paid),
    cancelled: await of('cancelled'),
    ageing,
    months: byMonth,
    average_days_to_pay: paid.length === 0 ? null : Math.round((days / paid.length) * 10) / 10,
    top_companies: companies.slice(0, 10),
    quotations: { open: byTotal(await quotations('sent')), won: byTotal(await quotations('accepted')) },
  };
}

async function dashboardOf(seller: Seller, query = ''): Promise<Shown> {
  const { body, text } = await seller.get(`/invoices/dashboard${query}`);
  assert.ok(body.dashboard, text);
  return body.dashboard;
}

const day = (from: string, days: number) =>
  fc.integer({ min: 0, max: days }).map((count) => daysLater(from, count));

type Step = { action: string; share: number; paid_at: string };
type Story = { company: number; issue_date: string; due_in: number; price: number; steps: Step[] };

const step: fc.Arbitrary<Step> = fc.record({
  action: fc.constantFrom('approve', 'approve', 'send', 'pay', 'pay', 'credit', 'cancel', 'undo'),
  share: fc.integer({ min: 1, max: 100 }),
  paid_at: fc.oneof(
    day('2025-05-01', 400),
    day('2025-05-01', 400).map((date) => `${date}T${'23:59:59+09:00'}`),
  ),
});
const story: fc.Arbitrary<Story> = fc.record({
  company: fc.nat(11),
  issue_date: fc.oneof(day('2025-03-01', 500), fc.constantFrom('2026-03-31', '2026-04-01', TODAY)),
  due_in: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 300 })),
  price: fc.integer({ min: 0, max: 500_000 }),
  steps: fc
    .tuple(step, fc.boolean(), fc.array(step, { maxLength: 6 }))
    .map(([one, isIssued, more]) => [{ ...one, action: isIssued ? 'approve' : one.action }, ...more]),
});

/** Lives through a story; what is not possible is refused, and changes nothing. */
async function live(seller: Seller, companies: string[], { company, steps, ...told }: Story): Promise<void> {
  const { issue_date, due_in, price } = told;
  const { id } = await seller.draft('invoice', {
    company_id: companies[company],
    issue_date,
    due_date: daysLater(issue_date, due_in),
    line_items: [{ description: '品', unit_price: String(price), quantity: '3' }],
  });
  for (const { action, share, paid_at } of steps) {
    const { balance, totals } = await seller.read('invoice', id);
    const part = Math.max(1, Math.ceil((balance * share) / 100));
    if (action === 'pay') await seller.act('invoice', id, 'mark-paid', { amount: part, paid_at });
    else if (action === 'credit') {
      const unit_price = String(Math.max(1, Math.trunc((totals.subtotal * share) / 200)));
      await seller.act('invoice', id, 'credit-notes', {
        reason: '値引き',
        line_items: [{ description: '値引き', unit_price }],
      });
    } else if (action === 'undo') {
      const [payment] = (await seller.get(`/invoices/${id}/payments`)).body.items;
      if (payment) await seller.delete(`/invoices/${id}/payments/${payment.id}`);
    } else await seller.act('invoice', id, action);
  }
}

describe('each figure is the sum over the list with the same filter', () => {
  let seller: Seller;

  before(async () => {
    seller = await newSeller(app);
    const companies: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      companies.push((await seller.make('/crm/companies', { name: `会社${index}` })).id);
    }
    for (const one of fc.sample(story, { numRuns: 90, seed: 20260615 })) await live(seller, companies, one);
    for (const [index, ways] of [[], ['send'], ['send'], ['send', 'accept'], ['send', 'reject']].entries()) {
      await seller.after('quotation', ways, { issue_date: daysLater('2026-04-01', index * 20) });
    }
  });

  for (const [name, query, period] of [
    ['all times', '', { from: null, to: null }],
    ['a month', '?from=2026-05-01&to=2026-05-31', { from: '2026-05-01', to: '2026-05-31' }],
    ['from a day on', '?from=2025-11-15', { from: '2025-11-15', to: null }],
    ['until a day', '?to=2025-11-15', { from: null, to: '2025-11-15' }],
    ['years', '?from=2025-02-01&to=2027-01-31', { from: '2025-02-01', to: '2027-01-31' }],
    ['a time without documents', '?from=2001-01-01&to=2001-12-31', { from: '2001-01-01', to: '2001-12-31' }],
  ] as const) {
    test(`of ${name}`, async () => {
      const { top_companies, ...shown } = await dashboardOf(seller, query);
      const months = shown.months.map(({ month }: Shown) => month);
      const { top_companies: top, ...lists } = await expected(seller, period, months);
      assert.deepEqual(shown, lists);
      const named = top_companies.map(({ name: company, ...rest }: Shown) => {
        assert.match(company, /^会社\d+$/);
        return rest;
      });
      assert.deepEqual(named, top);
      assert.equal(months.length, 12);
      assert.equal(months[11], (period.to ?? TODAY).slice(0, 7));
    });
  }

  test('and the histories had invoices for every one of them', async () => {
    const shown = await dashboardOf(seller, '?from=2025-02-01&to=2026-07-31');
    const { draft, approved, outstanding, overdue, due_soon, paid, cancelled, ageing, quotations } = shown;
    const figures = [draft, approved, outstanding, overdue, due_soon, paid, cancelled, ...ageing];
    for (const figure of [...figures, quotations.open, quotations.won]) {
      assert.ok(figure.count > 0 && figure.amount > 0, JSON.stringify(shown));
    }
    assert.equal(shown.top_companies.length, 10);
    assert.ok(shown.average_days_to_pay !== null);
    assert.ok(shown.months.filter(({ issued, collected }: Shown) => issued > 0 && collected > 0).length > 5);
    assert.equal(
      sum(ageing, ({ amount }) => amount),
      outstanding.amount,
    );
  });
});

describe('200', () => {
  test('an unpaid invoice of years ago is outstanding, and nothing is left out where nothing is asked for', async () => {
    const seller = await newSeller(app);
    await seller.after('invoice', ['approve'], { issue_date: '2022-03-15', due_date: '2022-04-30' });
    const { from, to, as_of, months, ageing } = await dashboardOf(seller);
    assert.deepEqual([from, to, as_of], [null, null, TODAY]);
    assert.deepEqual([months[0], months.length], [{ month: '2025-07', issued: 0, collected: 0 }, 12]);
    assert.deepEqual(ageing[4], { bucket: '91_plus', count: 1, amount: 12_080 });
    assert.deepEqual((await dashboardOf(seller, '?from=2026-04-01')).outstanding.count, 0);
  });

  test('today is that of the time zone of the settings, the days of payments are as they were said', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve'], {
      issue_date: '2026-06-01',
      due_date: '2026-06-14',
    });
    const other = await seller.after('invoice', ['approve'], { issue_date: '2026-06-01' });
    await seller.act('invoice', other.id, 'mark-paid', { paid_at: '2026-06-30T16:00:00Z' });
    const collected = async () => {
      const { months, average_days_to_pay } = await dashboardOf(seller, '?to=2026-07-31');
      return [months[10].collected > 0, months[11].collected > 0, average_days_to_pay];
    };
    assert.equal((await seller.read('invoice', id)).days_overdue, 1);
    assert.equal((await dashboardOf(seller)).overdue.count, 1);
    assert.deepEqual(await collected(), [false, true, 30]);
    await seller.patch('/invoice-settings', { time_zone: 'America/New_York' });
    assert.equal((await dashboardOf(seller)).overdue.count, 0);
    assert.deepEqual(await collected(), [false, true, 30]);
  });

  test('a sum with more digits than any document', async () => {
    const seller = await newSeller(app);
    const line_items = [{ description: '船', unit_price: '999999999999', tax_category: 'exempt' }];
    for (let index = 0; index < 3; index += 1) await seller.after('invoice', ['approve'], { line_items });
    const { outstanding } = await dashboardOf(seller);
    assert.deepEqual(outstanding, { count: 3, amount: 2_999_999_999_997 });
  });

  test('of its own organization alone', async () => {
    const seller = await newSeller(app);
    await seller.after('invoice', ['approve']);
    const { outstanding, top_companies } = await dashboardOf(await newSeller(app));
    assert.deepEqual([outstanding, top_companies], [{ count: 0, amount: 0 }, []]);
  });
});

describe('422', () => {
  test('a period that ends before it begins, and days that are none', async () => {
    const seller = await newSeller(app);
    for (const [query, fault] of [
      ['from=2026-02-01&to=2026-01-31', 'to before_start'],
      ['from=2026-02-30', 'from invalid_format'],
      ['from=1899-12-31', 'from out_of_range'],
      ['to=9999-01-01', 'to out_of_range'],
      ['month=2026-01', 'month unknown_parameter'],
    ] as const) {
      const reply = await seller.get(`/invoices/dashboard?${query}`);
      assert.equal(reply.status, 422, reply.text);
      assert.deepEqual(faultsIn(reply.body), [fault]);
    }
  });
});
