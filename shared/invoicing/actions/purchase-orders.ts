import { recordAction } from '../../platform/batches/action.ts';
import { acceptPurchaseOrder } from '../transitions/answer.ts';
import { sendDocument } from '../transitions/send.ts';

/** What is done to purchase orders alone. */
export const purchaseOrderActions = {
  send: recordAction({
    scope: 'invoicing:write',
    act: (work, id) => sendDocument(work, 'purchase_order', id),
  }),
  accept: recordAction({ scope: 'invoicing:write', act: acceptPurchaseOrder }),
};
