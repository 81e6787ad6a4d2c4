import { receivedPurchaseOrderActions } from '../../shared/received/actions/purchase-orders.ts';
import { changing } from './actions.ts';
import { everyKindCalls } from './every-kind-calls.ts';

const { approve, fulfill } = receivedPurchaseOrderActions;

export const receivedPurchaseOrderCalls = [
  changing('purchase_order', 'approve', approve, {
    summary: 'Approve a received purchase order',
    description: 'It must have a company and an `issue_date`; `incomplete` lists what is missing.',
    raises: ['incomplete'],
  }),
  ...everyKindCalls('purchase_order'),
  changing('purchase_order', 'fulfill', fulfill, {
    summary: 'Note that a received purchase order was fulfilled',
    description: 'What was ordered left us on `fulfilled_on`. It is not reopened from here.',
  }),
];
