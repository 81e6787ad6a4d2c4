import { recordAction } from '../../platform/batches/action.ts';
import { payReceivedInvoice } from '../payments/operations.ts';
import { ReceivedPaymentInput } from '../payments/record.ts';
import { approveInvoice } from '../transitions/approve-invoice.ts';
import { InvoiceApproval } from './bodies.ts';

/** What is done to received invoices alone. */
export const receivedInvoiceActions = {
  approve: recordAction({ scope: 'approvals:write', body: InvoiceApproval, act: approveInvoice }),
  'mark-paid': recordAction({ scope: 'received:write', body: ReceivedPaymentInput, act: payReceivedInvoice }),
};
