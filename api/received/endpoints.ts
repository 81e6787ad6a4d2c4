import { receivedKinds } from '../../shared/received/documents/kinds.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { receivedEndpoints } from './documents.ts';
import { evidence } from './evidence.ts';
import { files } from './files.ts';
import { receivedJournals } from './journals.ts';
import { receivedPayments } from './payments.ts';
import { purchaseOrderConversion } from './purchase-orders.ts';
import { transferFile } from './transfer-file.ts';

/** The endpoints of received documents, in the order of the reference. */
export const received: readonly Endpoint[] = [
  ...purchaseOrderConversion,
  ...receivedPayments,
  ...receivedJournals,
  ...transferFile,
  ...receivedKinds.flatMap(receivedEndpoints),
  ...files,
  ...evidence,
];
