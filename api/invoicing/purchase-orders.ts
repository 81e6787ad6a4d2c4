import { documentEndpoints } from './documents.ts';
import { purchaseOrderCalls } from './purchase-order-calls.ts';

const { documents, others } = documentEndpoints('purchase_order');

export const purchaseOrders = [documents, ...others, ...purchaseOrderCalls];
