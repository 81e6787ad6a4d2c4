import { z } from 'zod';
import { byId } from '../../shared/kernel/schema.ts';
import { receivedInvoiceById } from '../../shared/received/invoices/queries.ts';
import { ReceivedInvoice } from '../../shared/received/invoices/record.ts';
import { read } from '../http/endpoint.ts';

export const receivedInvoices = [
  read({
    id: 'received.invoices.get',
    method: 'get',
    path: '/api/v1/received-invoices/:id',
    scope: 'received:read',
    summary: 'Read a received invoice',
    description: 'The invoice that a purchase order became, as its supplier will send it.',
    params: byId('rinv'),
    reply: z.strictObject({ received_invoice: ReceivedInvoice }),
    handle: async ({ params }, reader) => ({
      received_invoice: await receivedInvoiceById(reader, params.id),
    }),
  }),
];
