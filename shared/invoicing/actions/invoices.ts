import { z } from 'zod';
import { text } from '../../kernel/schema.ts';
import { recordAction } from '../../platform/batches/action.ts';
import { recordPayment } from '../payments/operations.ts';
import { PaymentInput } from '../payments/record.ts';
import { approveInvoice, cancelInvoice } from '../transitions/approve.ts';
import { reviseInvoice } from '../transitions/revise.ts';
import { sendInvoice } from '../transitions/send.ts';

const Cancellation = z
  .strictObject({
    reason: text(1000).meta({ examples: ['二重に発行したため'] }),
  })
  .meta({ id: 'InvoiceCancellation' });

/** What is done to invoices alone. */
export const invoiceActions = {
  approve: recordAction({ scope: 'approvals:write', act: approveInvoice }),
  send: recordAction({ scope: 'invoicing:write', act: sendInvoice }),
  cancel: recordAction({
    scope: 'invoicing:write',
    body: Cancellation,
    act: (work, id, { reason }) => cancelInvoice(work, id, reason),
  }),
  revise: recordAction({ scope: 'invoicing:write', status: 201, act: reviseInvoice }),
  'mark-paid': recordAction({ scope: 'invoicing:write', body: PaymentInput, act: recordPayment }),
};
