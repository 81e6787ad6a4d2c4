import { purchaseOrderActions } from '../../shared/invoicing/actions/purchase-orders.ts';
import { changing } from './actions.ts';

export const purchaseOrderCalls = [
  changing('purchase_order', 'send', purchaseOrderActions.send, {
    summary: 'Send a purchase order',
    description:
      'Marks it as sent, without a mail. It gets its number, nothing that it prints changes any more, and its PDF is made.',
  }),
  changing('purchase_order', 'accept', purchaseOrderActions.accept, {
    summary: 'Accept a purchase order',
    description: 'The supplier took it.',
  }),
];
