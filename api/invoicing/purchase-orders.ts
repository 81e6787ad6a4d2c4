import { documentEndpoints } from './documents.ts';

const { documents, others } = documentEndpoints('purchase_order');

export const purchaseOrders = [documents, ...others];
