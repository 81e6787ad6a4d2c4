import {
  convertPurchaseOrder,
  PurchaseOrderConversion,
} from '../../shared/received/convert/purchase-order.ts';
import { Answer } from '../http/declaration.ts';
import { write } from '../http/endpoint.ts';
import { actionOn } from '../invoicing/actions.ts';
import { receivedReply, receivedReplySchema } from './documents.ts';

/** The action on a purchase order whose result is a received invoice. */
export const purchaseOrderConversion = [
  write({
    ...actionOn('purchase_order', 'convert', { scope: 'invoicing:write' }, [
      'unknown_reference',
      'already_exists',
      'duplicate_document',
    ]),
    domain_scope: 'received:write',
    summary: 'Convert a purchase order to a received invoice',
    description:
      'Makes the invoice that the supplier will send for an accepted order, `pending` until it is checked; once. The ' +
      'body may put any field in the place of what would be copied.',
    body: PurchaseOrderConversion,
    status: 201,
    reply: receivedReplySchema('invoice'),
    handle: async ({ params, body }, work) => {
      const invoice = await convertPurchaseOrder(work, params.id, body);
      return new Answer(201, await receivedReply(work, invoice), {
        Location: `/api/v1/received-invoices/${invoice.id}`,
      });
    },
  }),
];
