import { receivedKinds } from '../../shared/received/documents/kinds.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { anyKind } from './any-kind.ts';
import { receivedDeliveryNoteCalls } from './delivery-note-calls.ts';
import { receivedEndpoints } from './documents.ts';
import { evidence } from './evidence.ts';
import { files } from './files.ts';
import { receivedInvoiceCalls } from './invoice-calls.ts';
import { receivedPurchaseOrderCalls } from './purchase-order-calls.ts';
import { purchaseOrderConversion } from './purchase-orders.ts';
import { receivedQuotationCalls } from './quotation-calls.ts';
import { registration } from './registration.ts';

/** The endpoints of received documents, in the order of the reference. */
export const received: readonly Endpoint[] = [
  ...purchaseOrderConversion,
  ...receivedKinds.map(registration),
  ...receivedKinds.flatMap(receivedEndpoints),
  ...receivedInvoiceCalls,
  ...receivedQuotationCalls,
  ...receivedPurchaseOrderCalls,
  ...receivedDeliveryNoteCalls,
  ...anyKind,
  ...files,
  ...evidence,
];
