import assert from 'node:assert/strict';
import type { Sales } from './deals.ts';
import type { Seller } from './documents.ts';

type Call = { path: string; body?: unknown };

/** An approved invoice of 11,000 yen. */
export async function approvedInvoice(sales: Sales): Promise<string> {
  const company = await sales.make('/crm/companies', { name: '株式会社山田商店' });
  const { id } = await sales.make('/invoices', {
    company_id: company.id,
    issue_date: '2026-04-01',
    line_items: [{ description: 'コーヒー豆', unit_price: '1000', quantity: '10' }],
  });
  const reply = await sales.post(`/invoices/${id}/approve`);
  assert.equal(reply.status, 200, reply.text);
  return id;
}

const body = { amount: 20_000, received_on: '2026-05-31' };

async function below(sales: Sales, path: string, sent: unknown): Promise<Call> {
  const { id } = await sales.make('/deposits', body);
  return { path: `/deposits/${id}/${path}`, body: sent };
}

/** A call that succeeds for each write of deposits that hears an Idempotency-Key, by the endpoint's ID. */
export const depositCalls: Record<string, (sales: Sales) => Promise<Call>> = {
  'invoicing.deposits.create': async () => ({ path: '/deposits', body }),
  'invoicing.deposits.allocations.create': async (sales) =>
    below(sales, 'allocations', {
      allocations: [{ invoice_id: await approvedInvoice(sales), amount: 11_000 }],
    }),
  'invoicing.deposits.match': async (sales) => {
    const { id } = await sales.make('/deposits', {
      amount: 11_000,
      received_on: '2026-05-31',
      payer_name: '山田商店',
    });
    await approvedInvoice(sales);
    return { path: `/deposits/${id}/match`, body: { least_score: 80 } };
  },
  'invoicing.deposits.batch': async (sales) => {
    const { id } = await sales.make('/deposits', body);
    return { path: '/deposits/batch', body: { action: 'match', ids: [id] } };
  },
  'invoicing.deposits.refunds.create': async (sales) => below(sales, 'refunds', { amount: 1_000 }),
};

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

/** So many approved invoices of a seller, one after the other. */
export async function approvedInvoices(seller: Seller, count: number, fields = {}): Promise<Shown[]> {
  const invoices: Shown[] = [];
  for (let n = 0; n < count; n += 1) invoices.push(await seller.after('invoice', ['approve'], fields));
  return invoices;
}

/** Pays invoices out of a deposit. */
export const allocate = (seller: Seller, { id }: Shown, body: unknown) =>
  seller.post(`/deposits/${id}/allocations`, body);
