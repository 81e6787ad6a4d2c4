import type { Condition } from '../../db/keyset.ts';

/*
 * What of a received invoice is to be paid: lists, the dashboard and what is due ask here. `today` is the day in the
 * organization's zone.
 */

/** Approved and not settled, as SQL over invoices; the text of the index that serves it. */
export const UNPAID = "kind = 'invoice' AND status IN ('approved', 'partially_paid') AND balance <> 0";

/** Whether an invoice is unpaid and its day has passed, or the opposite, as a condition over received documents. */
export function overdue(wanted: boolean, today: string): Condition {
  const text = `${UNPAID} AND due_date < ?`;
  return { text: wanted ? `(${text})` : `(${text}) IS NOT TRUE`, values: [today] };
}
