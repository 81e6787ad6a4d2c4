import { newId } from '../../shared/kernel/id.ts';
import type { ReceivedKind } from '../../shared/received/documents/kinds.ts';
import { kinds, receivedKinds } from '../../shared/received/documents/kinds.ts';
import type { Sales } from './deals.ts';
import { formWith } from './uploads.ts';

type Call = { path: string; body?: unknown };

/** What brings a document to where an action takes it. */
const before: Readonly<Record<string, readonly string[]>> = {
  approve: [],
  confirm: [],
  files: [],
  reject: [],
  reopen: ['reject'],
  fulfill: ['approve'],
  convert: ['approve'],
};

const actions: Readonly<Record<ReceivedKind, readonly string[]>> = {
  invoice: ['files', 'approve', 'reject', 'reopen'],
  quotation: ['files', 'approve', 'reject', 'reopen', 'convert'],
  purchase_order: ['files', 'approve', 'reject', 'reopen', 'fulfill'],
  delivery_note: ['files', 'confirm', 'reject', 'reopen'],
};

/** A call that succeeds, for every decision on a received document and for more files of one. */
export const receivedActionCalls: Record<string, (sales: Sales) => Promise<Call>> = {
  'received.invoices.batch': async () => ({
    path: '/received-invoices/batch',
    body: { action: 'approve', ids: [newId('rinv', new Date())] },
  }),
  ...Object.fromEntries(
    receivedKinds.flatMap((kind) =>
      actions[kind].map((action) => [`received.${kinds[kind].resource}.${action}`, calling(kind, action)]),
    ),
  ),
};

function calling(kind: ReceivedKind, action: string) {
  return async ({ make, post }: Sales): Promise<Call> => {
    const collection = `/${kinds[kind].path}`;
    const company = await make('/crm/companies', { name: '仕入先' });
    const { id } = await make(collection, {
      company_id: company.id,
      issue_date: '2026-04-30',
      line_items: [{ description: '豆', unit_price: 1_000 }],
    });
    for (const step of before[action]!) await post(`${collection}/${id}/${step}`);
    const path = `${collection}/${id}/${action}`;
    return action === 'files' ? { path, body: formWith('品目,数\n豆,1\n', { name: 'a.csv' }) } : { path };
  };
}
