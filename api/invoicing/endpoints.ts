import type { Endpoint } from '../http/endpoint.ts';
import { ageing } from './ageing.ts';
import { creditNotes } from './credit-notes.ts';
import { dashboard } from './dashboard.ts';
import { deliveryNotes } from './delivery-notes.ts';
import { depositImports } from './deposit-imports.ts';
import { deposits } from './deposits.ts';
import { documentEmails } from './emails.ts';
import { invoices } from './invoices.ts';
import { payments } from './payments.ts';
import { pdfs } from './pdfs.ts';
import { purchaseOrders } from './purchase-orders.ts';
import { quotations } from './quotations.ts';
import { invoiceSettings } from './settings.ts';

/** The endpoints of invoicing, in the order of the reference. */
export const invoicing: readonly Endpoint[] = [
  ...quotations,
  ...dashboard,
  ...ageing,
  ...invoices,
  ...payments,
  ...depositImports,
  ...deposits,
  ...creditNotes,
  ...deliveryNotes,
  ...purchaseOrders,
  ...pdfs,
  ...documentEmails,
  ...invoiceSettings,
];
