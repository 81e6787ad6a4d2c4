import { documentEndpoints } from './documents.ts';
import { purchaseOrderActions } from './purchase-order-actions.ts';

const { documents, others } = documentEndpoints('purchase_order');

export const purchaseOrders = [documents, ...others, ...purchaseOrderActions];
