import { recordAction } from '../../platform/batches/action.ts';
import { approvePurchaseOrder, fulfillPurchaseOrder } from '../transitions/decide.ts';
import { Fulfillment } from './bodies.ts';

/** What is done to received purchase orders alone. */
export const receivedPurchaseOrderActions = {
  approve: recordAction({ scope: 'approvals:write', act: approvePurchaseOrder }),
  fulfill: recordAction({
    scope: 'received:write',
    body: Fulfillment,
    act: (work, id, { fulfilled_on }) => fulfillPurchaseOrder(work, id, fulfilled_on),
  }),
};
