import { z } from 'zod';
import { approveInvoice, cancelInvoice } from '../../shared/invoicing/transitions/approve.ts';
import { reviseInvoice } from '../../shared/invoicing/transitions/revise.ts';
import { sendInvoice } from '../../shared/invoicing/transitions/send.ts';
import type { FailureCode } from '../../shared/kernel/failures.ts';
import { text } from '../../shared/kernel/schema.ts';
import { changing, makingInvoice } from './actions.ts';

const Cancellation = z
  .strictObject({
    reason: text(1000).meta({ examples: ['二重に発行したため'] }),
  })
  .meta({ id: 'InvoiceCancellation' });

const REFUSED_APPROVAL: readonly FailureCode[] = ['not_qualified'];

export const invoiceActions = [
  changing('invoice', 'approve', {
    scope: 'approvals:write',
    summary: 'Approve an invoice',
    description:
      'Issues it: it gets its number, nothing that it prints changes any more, and its PDF is made. With a ' +
      'registration number in the settings it must hold all that a qualified invoice needs; `not_qualified` lists what ' +
      'is missing. The invoice that it revises is cancelled at the same moment.',
    raises: REFUSED_APPROVAL,
    act: approveInvoice,
  }),
  changing('invoice', 'send', {
    summary: 'Send an invoice',
    description:
      'Marks an approved invoice as sent, without a mail. Where the settings ask for no approval it takes a draft too, ' +
      'which is approved first: that needs `approvals:write` as well.',
    raises: REFUSED_APPROVAL,
    act: sendInvoice,
  }),
  changing('invoice', 'cancel', {
    summary: 'Cancel an invoice',
    description:
      'It keeps its number, and what it was converted from can be converted again. With payments or credit notes it ' +
      'is refused: correct it by a credit note.',
    body: Cancellation,
    act: (work, id, { reason }) => cancelInvoice(work, id, reason),
  }),
  makingInvoice('invoice', 'revise', {
    summary: 'Revise an invoice',
    description:
      'Makes a draft copy to be corrected. When that is approved, the old invoice is cancelled at the same moment.',
    raises: ['unknown_reference'],
    act: reviseInvoice,
  }),
];
