import { batch } from '../../platform/batches/batch.ts';
import type { ReceivedFilters } from '../documents/filters.ts';
import { receivedListed } from '../documents/list.ts';
import { rejecting } from './every-kind.ts';
import { receivedInvoiceActions } from './invoices.ts';

/** What can be done to many received invoices by one call, each as its single call does it. */
export const receivedInvoiceBatch = batch({
  name: 'received.invoices',
  prefix: 'rinv',
  list: (reader, filters, window) => receivedListed(reader, 'invoice', filters as ReceivedFilters, window),
  actions: {
    approve: receivedInvoiceActions.approve,
    reject: rejecting('invoice'),
    'mark-paid': receivedInvoiceActions['mark-paid'],
  },
});
