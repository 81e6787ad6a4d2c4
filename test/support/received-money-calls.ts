import type { Sales } from './deals.ts';
import { bankAccount } from './received-payers.ts';

type Call = { path: string; body?: unknown };

const PATH = '/received-invoices';

/** An approved invoice of a supplier. */
async function approved({ make, post }: Sales): Promise<string> {
  const company = await make('/crm/companies', { name: '支払先' });
  const { id } = await make(PATH, {
    company_id: company.id,
    issue_date: '2026-04-30',
    bank_account: bankAccount,
    line_items: [{ description: '豆', unit_price: '1000' }],
  });
  await post(`${PATH}/${id}/approve`);
  return id;
}

/** A call that succeeds, for every POST about the money of received invoices. */
export const receivedMoneyCalls: Record<string, (sales: Sales) => Promise<Call>> = {
  'received.invoices.mark_paid': async (sales) => ({
    path: `${PATH}/${await approved(sales)}/mark-paid`,
    body: { amount: 100 },
  }),
  'received.invoices.journals.create': async (sales) => {
    const id = await approved(sales);
    await sales.post('/accounting/accounts/seed');
    await sales.post('/accounting/fiscal-years', { start_date: '2026-01-01', end_date: '2026-12-31' });
    return { path: `${PATH}/${id}/journals`, body: {} };
  },
  'received.invoices.transfer_file': async (sales) => ({
    path: `${PATH}/transfer-file`,
    body: { ids: [await approved(sales)], date: '2099-12-25', from: bankAccount },
  }),
};
