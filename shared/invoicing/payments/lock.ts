import type { Work } from '../../kernel/work.ts';
import { contextOf } from '../documents/context.ts';
import type { DocumentRecord } from '../documents/record.ts';
import { lockDocuments } from '../documents/rows.ts';
import { requireTransition } from '../transitions/allowed.ts';
import { askingIn } from '../transitions/standing.ts';
import type { DocumentAction } from '../transitions/table.ts';
import { type PaymentRow, paymentsOfInvoices } from './rows.ts';

/*
 * The order in which writes of documents and of what they are paid by take their locks; nobody waits for what stands before:
 *
 *   1. a deposit, of which a write has one at the most;
 *   2. documents by ID. What a balance is made of, payments and credit notes, has no locks of its own: those alone
 *      write it who hold its invoice, and they read it once they do;
 *   3. the counter that gives a number, last, since it is the one that all documents of a kind share.
 */

/** An invoice that is locked for a change of what it is settled by, and its payments. */
export type LockedInvoice = { invoice: DocumentRecord; payments: PaymentRow[] };

/** Locks invoices in the order of their IDs, with their payments; missing ones are left out. */
export async function lockInvoices(work: Work, ids: readonly string[]): Promise<LockedInvoice[]> {
  const [invoices, payments] = await Promise.all([
    lockDocuments(work, 'invoice', ids),
    paymentsOfInvoices(work, ids),
    contextOf(work),
  ]);
  return invoices.map((invoice) => ({ invoice, payments: payments(invoice.id) }));
}

/** Sees that the status of an invoice takes an action. Errors: `invalid_transition`. */
export async function requireAction(
  work: Work,
  invoice: DocumentRecord,
  action: DocumentAction,
): Promise<void> {
  requireTransition(invoice, action, askingIn(await contextOf(work)));
}
