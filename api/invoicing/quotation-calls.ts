import { quotationActions } from '../../shared/invoicing/actions/quotations.ts';
import { changing, makingInvoice } from './actions.ts';

export const quotationCalls = [
  changing('quotation', 'send', quotationActions.send, {
    summary: 'Send a quotation',
    description:
      'Marks it as sent, without a mail. It gets its number, nothing that it prints changes any more, and its PDF is made.',
  }),
  changing('quotation', 'accept', quotationActions.accept, {
    summary: 'Accept a quotation',
    description: 'The customer took it. Past `due_date` it is refused as `expired` unless `force` is true.',
  }),
  changing('quotation', 'reject', quotationActions.reject, {
    summary: 'Reject a quotation',
    description: 'The customer declined it.',
  }),
  makingInvoice('quotation', 'convert', quotationActions.convert, {
    summary: 'Convert a quotation to an invoice',
    description:
      'Makes a draft of today with the lines of an accepted quotation, once: again only when that invoice was deleted ' +
      'or cancelled. The tax is found anew. The body may put any field in the place of what would be copied.',
    raises: ['unknown_reference', 'already_exists'],
  }),
];
