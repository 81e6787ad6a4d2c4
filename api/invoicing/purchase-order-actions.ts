import { acceptPurchaseOrder } from '../../shared/invoicing/transitions/answer.ts';
import { sendDocument } from '../../shared/invoicing/transitions/send.ts';
import { changing } from './actions.ts';

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
];
