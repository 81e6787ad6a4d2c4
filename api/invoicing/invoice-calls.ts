import { invoiceActions } from '../../shared/invoicing/actions/invoices.ts';
import type { FailureCode } from '../../shared/kernel/failures.ts';
import { bookkeepingRefusals } from '../../shared/platform/bookkeeping.ts';
import { changing, makingInvoice } from './actions.ts';
import { BOOKED_TOO, TAKEN_BACK_TOO } from './booked.ts';

const REFUSED_APPROVAL: readonly FailureCode[] = ['not_qualified', ...bookkeepingRefusals];

export const invoiceCalls = [
  changing('invoice', 'approve', invoiceActions.approve, {
    summary: 'Approve an invoice',
    description:
      'Issues it: it gets its number, nothing that it prints changes any more, and its PDF is made. With a ' +
      'registration number in the settings it must hold all that a qualified invoice needs; `not_qualified` lists what ' +
      `is missing. The invoice that it revises is cancelled at the same moment. ${BOOKED_TOO}`,
    raises: REFUSED_APPROVAL,
  }),
  changing('invoice', 'send', invoiceActions.send, {
    summary: 'Send an invoice',
    description:
      'Marks an approved invoice as sent, without a mail. Where the settings ask for no approval it takes a draft too, ' +
      `which is approved first: that needs \`approvals:write\` as well. ${BOOKED_TOO}`,
    raises: REFUSED_APPROVAL,
  }),
  changing('invoice', 'cancel', invoiceActions.cancel, {
    summary: 'Cancel an invoice',
    description:
      'It keeps its number, and what it was converted from can be converted again. With payments or credit notes it ' +
      `is refused: correct it by a credit note. ${TAKEN_BACK_TOO} \`posting_date\` stands in the place of the former.`,
    raises: bookkeepingRefusals,
  }),
  makingInvoice('invoice', 'revise', invoiceActions.revise, {
    summary: 'Revise an invoice',
    description:
      'Makes a draft copy to be corrected. When that is approved, the old invoice is cancelled at the same moment.',
    raises: ['unknown_reference'],
  }),
];
