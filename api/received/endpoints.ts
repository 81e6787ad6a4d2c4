import { receivedKinds } from '../../shared/received/documents/kinds.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { receivedEndpoints } from './documents.ts';
import { evidence } from './evidence.ts';
import { files } from './files.ts';
import { purchaseOrderConversion } from './purchase-orders.ts';
import { registration } from './registration.ts';

/** The endpoints of received documents, in the order of the reference. */
export const received: readonly Endpoint[] = [
  ...purchaseOrderConversion,
  ...receivedKinds.map(registration),
  ...receivedKinds.flatMap(receivedEndpoints),
  ...files,
  ...evidence,
];
