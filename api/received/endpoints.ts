import type { Endpoint } from '../http/endpoint.ts';
import { evidence } from './evidence.ts';
import { files } from './files.ts';
import { receivedInvoices } from './invoices.ts';
import { purchaseOrderConversion } from './purchase-orders.ts';

/** The endpoints of received documents, in the order of the reference. */
export const received: readonly Endpoint[] = [
  ...purchaseOrderConversion,
  ...receivedInvoices,
  ...files,
  ...evidence,
];
