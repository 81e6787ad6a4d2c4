import { recordAction } from '../../platform/batches/action.ts';
import { approveInvoice } from '../transitions/approve-invoice.ts';
import { InvoiceApproval } from './bodies.ts';

/** What is done to received invoices alone. */
export const receivedInvoiceActions = {
  approve: recordAction({ scope: 'approvals:write', body: InvoiceApproval, act: approveInvoice }),
};
