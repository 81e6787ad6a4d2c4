import { daysLater, startOfDay } from '../../kernel/days.ts';
import type { Reader } from '../../kernel/reader.ts';
import { OUTSTANDING } from './due.ts';

/** A day before today, whose end is asked about, in a time zone. */
export type Past = { as_of: string; time_zone: string };

/**
 * SQL for the invoices that were open at the end of a day that is past: what is open now, and what was settled or cancelled
 * since, each with the balance that it had. Days are those that the papers have: of issue, of payments and of credit notes.
 * An invoice that was revised since is its revision, which has its day. `$1` is the organization, `$2` the day, `$3` the
 * instant at which it was over.
 */
export const OPEN_THEN = `
  WITH since AS MATERIALIZED (
    SELECT invoice_id AS id, sum(amount) AS amount FROM (
      SELECT invoice_id, amount FROM invoicing_payments WHERE organization_id = $1 AND paid_on > $2::date
       UNION ALL
      SELECT invoice_id, amount_due FROM invoicing_documents
       WHERE organization_id = $1 AND kind = 'credit_note' AND issue_date > $2::date
    ) AS moved GROUP BY invoice_id
  )
  SELECT paper.company_id, paper.issue_date, paper.due_date, paper.balance + coalesce(since.amount, 0) AS balance
    FROM (
      SELECT id, company_id, issue_date, due_date, balance FROM invoicing_documents
       WHERE organization_id = $1 AND kind = 'invoice' AND ${OUTSTANDING}
       UNION ALL
      SELECT settled.id, settled.company_id, settled.issue_date, settled.due_date, settled.balance
        FROM since JOIN invoicing_documents AS settled ON settled.organization_id = $1 AND settled.id = since.id
       WHERE settled.status <> 'cancelled' AND settled.balance <= 0
       UNION ALL
      SELECT id, company_id, issue_date, due_date, balance FROM invoicing_documents AS gone
       WHERE organization_id = $1 AND kind = 'invoice' AND status = 'cancelled' AND cancelled_at >= $3::timestamptz
         AND NOT EXISTS (SELECT FROM invoicing_documents AS revision
                          WHERE revision.organization_id = $1 AND revision.revises_id = gone.id
                            AND revision.status <> 'draft')
    ) AS paper
    LEFT JOIN since ON since.id = paper.id
   WHERE paper.issue_date <= $2::date AND paper.balance + coalesce(since.amount, 0) > 0`;

/** The values that it takes. */
export function valuesOfPast({ organization_id }: Reader, { as_of, time_zone }: Past): string[] {
  return [organization_id, as_of, startOfDay(daysLater(as_of, 1), time_zone)];
}
