import { receivedDeliveryNoteActions } from '../../shared/received/actions/delivery-notes.ts';
import { changing } from './actions.ts';
import { everyKindCalls } from './every-kind-calls.ts';

export const receivedDeliveryNoteCalls = [
  changing('delivery_note', 'confirm', receivedDeliveryNoteActions.confirm, {
    summary: 'Confirm a received delivery note',
    description:
      'It must have a company and an `issue_date`; `incomplete` lists what is missing. All of it is accepted but for what ' +
      '`lines` says; invoices of its order are compared with what was accepted.',
    raises: ['incomplete'],
  }),
  ...everyKindCalls('delivery_note'),
];
