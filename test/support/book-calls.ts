import assert from 'node:assert/strict';
import { linesOf } from './books.ts';
import type { Sales } from './deals.ts';
import { evidenceForm, pdfBytes, RECEIPT } from './evidence.ts';

type Call = { path: string; body?: unknown };

const LINES = linesOf([
  ['6310', 1_000],
  ['1110', -1_000],
]);

/** The chart, and the year that holds today. */
async function withBooks({ post, make }: Sales): Promise<string> {
  await post('/accounting/accounts/seed');
  const today = new Date().toISOString().slice(0, 10);
  const year = today.slice(0, 4);
  await make('/accounting/fiscal-years', { start_date: `${year}-01-01`, end_date: `${year}-12-31` });
  return today;
}

/** A year with the chart. */
async function year({ post, make }: Sales): Promise<string> {
  await post('/accounting/accounts/seed');
  const fields = { start_date: '2025-01-01', end_date: '2025-12-31' };
  return (await make('/accounting/fiscal-years', fields)).id;
}

/** Something done to an entry on which these things were done before. */
const done =
  (action: string, before: readonly string[] = [], body?: unknown) =>
  async (sales: Sales): Promise<Call> => {
    const date = await withBooks(sales);
    const { id } = await sales.make('/accounting/journals', { date, lines: LINES });
    for (const each of before) await sales.post(`/accounting/journals/${id}/${each}`);
    return { path: `/accounting/journals/${id}/${action}`, body };
  };

const receipt = () => evidenceForm({ bytes: pdfBytes(1), name: '領収書.pdf' }, RECEIPT);

/** A document of evidence. */
async function document({ post }: Sales): Promise<string> {
  const reply = await post('/accounting/documents', receipt());
  assert.equal(reply.status, 201, reply.text);
  return reply.body.document.id;
}

/** A call that succeeds, for every POST of accounting. */
export const bookCalls: Record<string, (sales: Sales) => Promise<Call>> = {
  'evidence.verify': async () => ({ path: '/evidence/verify' }),
  'evidence.export': async () => ({ path: '/evidence/export', body: { date_from: '2025-01-01' } }),
  'accounting.accounts.seed': async () => ({ path: '/accounting/accounts/seed' }),
  'accounting.accounts.create': async () => ({
    path: '/accounting/accounts',
    body: { code: '1141', name: '第二口座', account_type: 'asset' },
  }),
  'accounting.journals.create': async (sales) => {
    const date = await withBooks(sales);
    return { path: '/accounting/journals', body: { date, lines: LINES, post: true } };
  },
  'accounting.journals.submit': done('submit'),
  'accounting.journals.approve': async (sales) => {
    await sales.patch('/accounting/settings', { approval: { four_eyes: false } });
    return done('approve', ['submit'])(sales);
  },
  'accounting.journals.withdraw': done('withdraw', ['submit']),
  'accounting.journals.post': done('post'),
  'accounting.journals.void': done('void', ['post'], { reason: '誤り' }),
  'accounting.journals.duplicate': done('duplicate'),
  'accounting.documents.create': async () => ({ path: '/accounting/documents', body: receipt() }),
  'accounting.documents.versions': async (sales) => ({
    path: `/accounting/documents/${await document(sales)}/versions`,
    body: evidenceForm({ bytes: pdfBytes(2), name: '領収書.pdf' }),
  }),
  'accounting.documents.link': async (sales) => {
    const date = await withBooks(sales);
    const { id } = await sales.make('/accounting/journals', { date, lines: LINES });
    return { path: `/accounting/documents/${await document(sales)}/link`, body: { journal_id: id } };
  },
  'accounting.documents.discard': async (sales) => {
    return { path: `/accounting/documents/${await document(sales)}/discard`, body: { reason: '誤り' } };
  },
  'accounting.journals.batch': async (sales) => {
    const date = await withBooks(sales);
    return { path: '/accounting/journals/batch', body: { journals: [{ date, lines: LINES }], post: true } };
  },
  'accounting.journals.from_document': async (sales) => {
    const date = await withBooks(sales);
    const { id: company_id } = await sales.make('/crm/companies', { name: '株式会社山田商店' });
    const { id } = await sales.make('/invoices', {
      company_id,
      issue_date: date,
      line_items: [{ description: 'コーヒー豆', quantity: '1', unit_price: '1000' }],
    });
    await sales.post(`/invoices/${id}/approve`);
    return { path: '/accounting/journals/from-document', body: { type: 'invoice', id } };
  },
  'accounting.reports.verify': async () => ({ path: '/accounting/reports/verify' }),
  'accounting.fiscal_years.create': async () => ({
    path: '/accounting/fiscal-years',
    body: { start_date: '2026-04-01', end_date: '2027-03-31' },
  }),
  'accounting.fiscal_years.close': async (sales) => ({
    path: `/accounting/fiscal-years/${await year(sales)}/close`,
  }),
  'accounting.fiscal_years.reopen': async (sales) => {
    const id = await year(sales);
    await sales.post(`/accounting/fiscal-years/${id}/close`);
    return { path: `/accounting/fiscal-years/${id}/reopen`, body: { reason: '修正' } };
  },
  'accounting.period_locks.create': async () => ({
    path: '/accounting/period-locks',
    body: { to: '2026-03-31' },
  }),
};
