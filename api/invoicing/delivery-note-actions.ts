import { convertDeliveryNotes } from '../../shared/invoicing/convert/operations.ts';
import { DeliveryNoteConversion } from '../../shared/invoicing/convert/record.ts';
import { deliver } from '../../shared/invoicing/transitions/send.ts';
import { changing, makingInvoice } from './actions.ts';

export const deliveryNoteActions = [
  changing('delivery_note', 'deliver', {
    summary: 'Deliver a delivery note',
    description:
      'The goods were handed over. It gets its number, nothing that it prints changes any more, and its PDF is made.',
    act: deliver,
  }),
  makingInvoice('delivery_note', 'convert', {
    summary: 'Convert delivery notes to an invoice',
    description:
      'Makes a draft of today with what can still be invoiced of this note and of those in `delivery_note_ids`, or with ' +
      'the part in `lines`. What a deleted or cancelled invoice held can be invoiced again. The transaction date or ' +
      'period is that of the deliveries, and the tax is found once for the whole invoice. The body may put other ' +
      'fields in the place of what would be copied.',
    body: DeliveryNoteConversion,
    raises: ['unknown_reference', 'already_exists', 'modes_differ'],
    act: convertDeliveryNotes,
  }),
];
