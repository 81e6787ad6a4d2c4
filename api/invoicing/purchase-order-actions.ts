import { z } from 'zod';
import { acceptPurchaseOrder } from '../../shared/invoicing/transitions/answer.ts';
import { sendDocument } from '../../shared/invoicing/transitions/send.ts';
import { convertPurchaseOrder } from '../../shared/received/invoices/convert.ts';
import { PurchaseOrderConversion, ReceivedInvoice } from '../../shared/received/invoices/record.ts';
import { Answer } from '../http/declaration.ts';
import { write } from '../http/endpoint.ts';
import { actionOn, changing } from './actions.ts';

export const purchaseOrderActions = [
  changing('purchase_order', 'send', {
    summary: 'Send a purchase order',
    description:
      'Marks it as sent, without a mail. It gets its number, nothing that it prints changes any more, and its PDF is made.',
    act: (work, id) => sendDocument(work, 'purchase_order', id),
  }),
  changing('purchase_order', 'accept', {
    summary: 'Accept a purchase order',
    description: 'The supplier took it.',
    act: acceptPurchaseOrder,
  }),
  write({
    ...actionOn('purchase_order', 'convert'),
    summary: 'Convert a purchase order to a received invoice',
    description:
      'Makes the invoice that the supplier will send for an accepted order, `pending` until it is checked; once. The ' +
      'body may put any field in the place of what would be copied.',
    body: PurchaseOrderConversion,
    status: 201,
    reply: z.strictObject({ received_invoice: ReceivedInvoice }),
    handle: async ({ params, body }, work) => {
      const received_invoice = await convertPurchaseOrder(work, params.id, body);
      return new Answer(
        201,
        { received_invoice },
        { Location: `/api/v1/received-invoices/${received_invoice.id}` },
      );
    },
  }),
];
