import { z } from 'zod';
import { convertPurchaseOrder } from '../../shared/received/invoices/convert.ts';
import { PurchaseOrderConversion, ReceivedInvoice } from '../../shared/received/invoices/record.ts';
import { Answer } from '../http/declaration.ts';
import { write } from '../http/endpoint.ts';
import { actionOn } from '../invoicing/actions.ts';

/** The action on a purchase order whose result is a received invoice. */
export const purchaseOrderConversion = [
  write({
    ...actionOn('purchase_order', 'convert', { scope: 'invoicing:write' }),
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
