import { type Batch, batch } from '../../platform/batches/batch.ts';
import { kinds, type WrittenKind } from '../documents/kinds.ts';
import { documentExports } from '../exports/documents.ts';
import { deliveryNoteActions } from './delivery-notes.ts';
import { duplicating, sendingEmail } from './every-kind.ts';
import { invoiceActions } from './invoices.ts';
import { purchaseOrderActions } from './purchase-orders.ts';
import { quotationActions } from './quotations.ts';

const own: Record<WrittenKind, Record<string, unknown>> = {
  quotation: quotationActions,
  invoice: invoiceActions,
  delivery_note: deliveryNoteActions,
  purchase_order: purchaseOrderActions,
};

/** By kind, what can be done to many documents by one call: all that one document's calls do. */
export const documentBatches = Object.fromEntries(
  Object.entries(own).map(([name, actions]) => {
    const kind = name as WrittenKind;
    const { list, name: exported } = documentExports[kind];
    const everyKind = { 'send-email': sendingEmail(kind), duplicate: duplicating(kind) };
    return [
      kind,
      batch({ name: exported, prefix: kinds[kind].prefix, list, actions: { ...actions, ...everyKind } }),
    ];
  }),
) as Record<WrittenKind, Batch>;
