import { receivedInvoiceBatch } from '../../shared/received/actions/batch.ts';
import { receivedKinds } from '../../shared/received/documents/kinds.ts';
import { batchOf } from '../http/batches.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { anyKind } from './any-kind.ts';
import { receivedInvoiceDashboard } from './dashboard.ts';
import { receivedDeliveryNoteCalls } from './delivery-note-calls.ts';
import { receivedEndpoints, receivedList } from './documents.ts';
import { evidence } from './evidence.ts';
import { files } from './files.ts';
import { receivedInvoiceCalls } from './invoice-calls.ts';
import { receivedJournals } from './journals.ts';
import { receivedPayments } from './payments.ts';
import { receivedPurchaseOrderCalls } from './purchase-order-calls.ts';
import { purchaseOrderConversion } from './purchase-orders.ts';
import { receivedQuotationCalls } from './quotation-calls.ts';
import { registration } from './registration.ts';
import { settings } from './settings.ts';
import { transferFile } from './transfer-file.ts';

/** The endpoints of received documents, in the order of the reference. */
export const received: readonly Endpoint[] = [
  ...purchaseOrderConversion,
  ...receivedKinds.map(registration),
  ...receivedInvoiceDashboard,
  ...receivedPayments,
  ...receivedJournals,
  ...transferFile,
  ...receivedKinds.flatMap(receivedEndpoints),
  ...receivedInvoiceCalls,
  batchOf(receivedList('invoice'), receivedInvoiceBatch),
  ...receivedQuotationCalls,
  ...receivedPurchaseOrderCalls,
  ...receivedDeliveryNoteCalls,
  ...anyKind,
  ...files,
  ...evidence,
  ...settings,
];
