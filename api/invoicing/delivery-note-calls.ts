import { deliveryNoteActions } from '../../shared/invoicing/actions/delivery-notes.ts';
import { changing, makingInvoice } from './actions.ts';

export const deliveryNoteCalls = [
  changing('delivery_note', 'deliver', deliveryNoteActions.deliver, {
    summary: 'Deliver a delivery note',
    description:
      'The goods were handed over. It gets its number, nothing that it prints changes any more, and its PDF is made.',
  }),
  makingInvoice('delivery_note', 'convert', deliveryNoteActions.convert, {
    summary: 'Convert delivery notes to an invoice',
    description:
      'Makes a draft of today with what can still be invoiced of this note and of those in `delivery_note_ids`, or with ' +
      'the part in `lines`. What a deleted or cancelled invoice held can be invoiced again. The transaction date or ' +
      'period is that of the deliveries, and the tax is found once for the whole invoice. The body may put other ' +
      'fields in the place of what would be copied.',
    raises: ['unknown_reference', 'already_exists', 'modes_differ'],
  }),
];
