import { z } from 'zod';
import { day, text } from '../../kernel/schema.ts';
import { recordAction } from '../../platform/batches/action.ts';
import { recordPayment } from '../payments/operations.ts';
import { PaymentInput } from '../payments/record.ts';
import { approveInvoice, cancelInvoice } from '../transitions/approve.ts';
import { reviseInvoice } from '../transitions/revise.ts';
import { sendInvoice } from '../transitions/send.ts';

const Cancellation = z
  .strictObject({
    reason: text(1000).meta({ examples: ['二重に発行したため'] }),
    posting_date: day()
      .describe(
        'Of the entry that takes the invoice out of the books; the later of today and its own day unless said.',
      )
      .optional(),
  })
  .meta({ id: 'InvoiceCancellation' });

/** What is done to invoices alone. */
export const invoiceActions = {
  approve: recordAction({
    scope: 'approvals:write',
    act: (work, id, _, { bookkeeping }) => approveInvoice(work, id, bookkeeping),
  }),
  send: recordAction({
    scope: 'invoicing:write',
    act: (work, id, _, { bookkeeping }) => sendInvoice(work, id, bookkeeping),
  }),
  cancel: recordAction({
    scope: 'invoicing:write',
    body: Cancellation,
    act: (work, id, cancellation, { bookkeeping }) => cancelInvoice(work, id, cancellation, bookkeeping),
  }),
  revise: recordAction({ scope: 'invoicing:write', status: 201, act: reviseInvoice }),
  'mark-paid': recordAction({
    scope: 'invoicing:write',
    body: PaymentInput,
    act: (work, id, input, { bookkeeping }) => recordPayment(work, id, input, bookkeeping),
  }),
};
