import type { Month } from '../../invoicing/dashboard/period.ts';
import { type AgeingBucket, outstandingBucket } from '../../invoicing/documents/due.ts';
import type { Reader } from '../../kernel/reader.ts';
import { UNPAID } from '../documents/open.ts';

/*
 * What the dashboard reads: one pass over the entries of an index for what invoices come to, added up to a few dozen rows,
 * and one each over those that are unpaid and over the payments of a year.
 */

/** The days of issue that are asked about, both included; null is without end. */
export type AskedPeriod = { from: string | null; to: string | null };

export type Asked = { period: AskedPeriod; months: readonly Month[]; today: string };

/** Invoices that are alike in all that a figure asks about; sums as exact decimal text. */
export type InvoiceSums = {
  is_within: boolean;
  /** Whether it was settled on a day of the period. */
  is_paid_within: boolean;
  /** The month of issue where that is one of the twelve, else null. */
  month: string | null;
  status: string;
  count: number;
  total: string;
  non_registered: string;
  non_deductible: string;
};

const within = (column: string) =>
  `coalesce(($2::date IS NULL OR ${column} >= $2) AND ($3::date IS NULL OR ${column} <= $3), false)`;

const INVOICES = `
  SELECT ${within('issue_date')} AS is_within,
         status = 'paid' AND ${within('paid_on')} AS is_paid_within,
         CASE WHEN issue_date BETWEEN $4 AND $5 THEN to_char(issue_date, 'YYYY-MM') END AS month,
         status,
         sum(alike.count)::int AS count,
         sum(alike.total)::text AS total,
         sum(CASE WHEN qualified THEN 0 ELSE alike.total END)::text AS non_registered,
         sum(alike.non_deductible)::text AS non_deductible
    FROM (
      SELECT issue_date, paid_on, status, qualified, count(*) AS count, sum(total) AS total,
             sum(non_deductible) AS non_deductible
        FROM received_documents
       WHERE organization_id = $1 AND kind = 'invoice'
       GROUP BY 1, 2, 3, 4
    ) AS alike
   GROUP BY 1, 2, 3, 4`;

/** The invoices, added up by what tells them apart. */
export function invoiceSums(
  { connection, organization_id }: Reader,
  { period, months }: Asked,
): Promise<InvoiceSums[]> {
  const values = [period.from, period.to, months[0]!.from, months.at(-1)!.to];
  return connection.query<InvoiceSums>(INVOICES, [organization_id, ...values], { prepared: false });
}

/** Unpaid invoices of a bucket; `first_due` is the first due date among them, `soon` those of it due within a week. */
export type UnpaidSums = {
  bucket: AgeingBucket;
  is_due_soon: boolean;
  count: number;
  balance: string;
  first_due: string | null;
};

/** Days ahead, today among them as the first, in which an invoice is due soon. */
const SOON = 7;

const OPEN = `FROM received_documents WHERE organization_id = $1 AND ${UNPAID} AND ${within('issue_date')}`;

const UNPAID_SUMS = `
  SELECT ${outstandingBucket('$4::date')} AS bucket,
         coalesce(due_date BETWEEN $4::date AND $4::date + ${SOON}, false) AS is_due_soon,
         count(*)::int AS count, sum(balance)::text AS balance, min(due_date) AS first_due
    ${OPEN} GROUP BY 1, 2`;

/** The unpaid invoices by the days since their due date on `today`. */
export function unpaidSums(
  { connection, organization_id }: Reader,
  { period, today }: Asked,
): Promise<UnpaidSums[]> {
  const values = [organization_id, period.from, period.to, today];
  return connection.query<UnpaidSums>(UNPAID_SUMS, values, { prepared: false });
}

export type CompanySums = { company_id: string; name: string; count: number; balance: string };

const COMPANIES = `
  SELECT owed.company_id, company.name, owed.count, owed.balance::text AS balance
    FROM (
      SELECT company_id, count(*)::int AS count, sum(balance) AS balance ${OPEN} AND company_id IS NOT NULL
       GROUP BY company_id ORDER BY 3 DESC, 1 LIMIT $4
    ) AS owed
    JOIN crm_companies AS company ON company.organization_id = $1 AND company.id = owed.company_id
   ORDER BY owed.balance DESC, owed.company_id`;

/** The companies that are owed the most. */
export function companiesOwed(
  { connection, organization_id }: Reader,
  { period }: Asked,
  most: number,
): Promise<CompanySums[]> {
  const values = [organization_id, period.from, period.to, most];
  return connection.query<CompanySums>(COMPANIES, values, { prepared: false });
}

/** `place` is that of the month among the twelve, from 1; the sum is exact decimal text. */
export type PaymentSums = { place: number; amount: string };

const PAYMENTS = `
  SELECT width_bucket(paid_on, $4::date[]) AS place, sum(amount)::text AS amount
    FROM received_payments
   WHERE organization_id = $1 AND paid_on BETWEEN $2 AND $3
   GROUP BY 1`;

/** What was paid in each of the months. */
export function paymentSums(
  { connection, organization_id }: Reader,
  { months }: Pick<Asked, 'months'>,
): Promise<PaymentSums[]> {
  const starts = months.map(({ from }) => from);
  const values = [organization_id, starts[0], months.at(-1)!.to, starts];
  return connection.query<PaymentSums>(PAYMENTS, values, { prepared: false });
}
