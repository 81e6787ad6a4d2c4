import type { Reader } from '../../kernel/reader.ts';
import {
  type AgeingBucket,
  ageingExpression,
  dueSoonExpression,
  OUTSTANDING,
  outstandingBucket,
} from '../documents/due.ts';
import { OPEN_THEN, type Past, valuesOfPast } from '../documents/open-then.ts';
import type { AskedPeriod, Month } from './period.ts';

/*
 * What the dashboard reads: of each table one pass over the entries of one index, added up to a few dozen rows.
 */

/** Invoices that are alike in all that a figure asks about; sums as exact decimal text. */
export type InvoiceSums = {
  is_within: boolean;
  /** The month of issue where that is one of the twelve, else null. */
  month: string | null;
  status: string;
  bucket: AgeingBucket | null;
  is_due_soon: boolean;
  count: number;
  total: string;
  balance: string;
  days_to_pay: string;
};

/**
 * Rows are added up by what stands on them first: what follows from that is then asked of some thousand sums. Their
 * `balance` is 1 where there is one, as the conditions ask for no more.
 */
const INVOICES = `
  SELECT issue_date BETWEEN $2 AND $3 AS is_within,
         CASE WHEN issue_date BETWEEN $4 AND $5 THEN to_char(issue_date, 'YYYY-MM') END AS month,
         status,
         ${ageingExpression('$6::date')} AS bucket,
         ${dueSoonExpression('$6::date')} AS is_due_soon,
         sum(alike.count)::int AS count,
         sum(alike.total)::text AS total,
         sum(alike.owed)::text AS balance,
         sum(alike.days_to_pay)::text AS days_to_pay
    FROM (
      SELECT issue_date, status, due_date,
             (balance > 0)::int AS balance,
             count(*) AS count,
             sum(total) AS total,
             sum(balance) AS owed,
             sum(CASE WHEN status = 'paid' THEN paid_on - issue_date ELSE 0 END) AS days_to_pay
        FROM invoicing_documents
       WHERE organization_id = $1 AND kind = 'invoice'
         AND issue_date BETWEEN least($2::date, $4::date) AND greatest($3::date, $5::date)
       GROUP BY 1, 2, 3, 4
    ) AS alike
   GROUP BY 1, 2, 3, 4, 5`;

/** The invoices of the period and of the months, added up by what tells them apart on `as_of`. */
export function invoiceSums(
  { connection, organization_id }: Reader,
  { period, months, as_of }: Asked,
): Promise<InvoiceSums[]> {
  const values = [...daysOf(period), months[0]!.from, months.at(-1)!.to, as_of];
  return connection.query<InvoiceSums>(INVOICES, [organization_id, ...values], { prepared: false });
}

export type Asked = { period: AskedPeriod; months: readonly Month[]; as_of: string };

/** The first and the last day that issued documents may have. */
const ALL_DAYS = ['0001-01-01', '9999-12-31'] as const;

function daysOf({ from, to }: AskedPeriod): [string, string] {
  return [from ?? ALL_DAYS[0], to ?? ALL_DAYS[1]];
}

/** What was open, added up by how late it was. */
export type OpenSums = Pick<InvoiceSums, 'bucket' | 'is_due_soon' | 'count' | 'balance'>;

export type CompanySums = { company_id: string; name: string; count: number; balance: string };

const COMPANIES = `
  SELECT owing.company_id, company.name, owing.count, owing.balance::text AS balance
    FROM (
      SELECT company_id, count(*) AS count, sum(balance) AS balance
        FROM invoicing_documents
       WHERE organization_id = $1 AND kind = 'invoice' AND ${OUTSTANDING} AND issue_date BETWEEN $2 AND $3
       GROUP BY company_id
       ORDER BY 3 DESC, 1
       LIMIT $4
    ) AS owing
    JOIN crm_companies AS company ON company.organization_id = $1 AND company.id = owing.company_id
   ORDER BY owing.balance DESC, owing.company_id`;

/** The companies that owe the most for invoices of the period. */
export function companiesOwing(
  { connection, organization_id }: Reader,
  { period }: Asked,
  most: number,
): Promise<CompanySums[]> {
  const values = [organization_id, ...daysOf(period), most];
  return connection.query<CompanySums>(COMPANIES, values, { prepared: false });
}

/** One pass over what was open, which costs most of it: added up by how late it was, and by company. */
const OPEN_SUMS = `
  WITH sums AS MATERIALIZED (
    SELECT bucket, is_due_soon, company_id, grouping(company_id) = 0 AS is_of_company,
           count(*)::int AS count, sum(balance) AS balance
      FROM (
        SELECT ${outstandingBucket('$2::date')} AS bucket,
               due_date BETWEEN $2::date AND $2::date + 7 AS is_due_soon,
               company_id, balance
          FROM (${OPEN_THEN}) AS papers
         WHERE issue_date BETWEEN $4 AND $5
      ) AS open
     GROUP BY GROUPING SETS ((bucket, is_due_soon), (company_id))
  )
  SELECT company_id, bucket, is_due_soon, count, balance::text AS balance,
         (SELECT name FROM crm_companies AS company
           WHERE company.organization_id = $1 AND company.id = found.company_id) AS name
    FROM (
      SELECT * FROM sums WHERE NOT is_of_company
       UNION ALL
      (SELECT * FROM sums WHERE is_of_company ORDER BY balance DESC, company_id LIMIT $6)
    ) AS found
   ORDER BY found.is_of_company, found.balance DESC, found.company_id`;

type FoundSums = OpenSums & ({ company_id: null; name: null } | { company_id: string; name: string });

/** The invoices of the period that were open on a day that is past, and the companies that owed the most for them. */
export async function openSums(
  reader: Reader,
  { period }: Pick<Asked, 'period'>,
  { past, most }: { past: Past; most: number },
): Promise<{ open: OpenSums[]; companies: CompanySums[] }> {
  const values = [...valuesOfPast(reader, past), ...daysOf(period), most];
  const found = await reader.connection.query<FoundSums>(OPEN_SUMS, values, { prepared: false });
  const companies = found.flatMap(({ company_id, name, count, balance }) =>
    company_id === null ? [] : { company_id, name, count, balance },
  );
  return { open: found.filter(({ company_id }) => company_id === null), companies };
}

export type QuotationSums = { status: string; count: number; total: string };

const QUOTATIONS = `
  SELECT status, count(*) AS count, sum(total)::text AS total
    FROM invoicing_documents
   WHERE organization_id = $1 AND kind = 'quotation' AND issue_date BETWEEN $2 AND $3
   GROUP BY status`;

/** The quotations of the period by status. */
export function quotationSums(
  { connection, organization_id }: Reader,
  period: AskedPeriod,
): Promise<QuotationSums[]> {
  return connection.query<QuotationSums>(QUOTATIONS, [organization_id, ...daysOf(period)], {
    prepared: false,
  });
}

/** `place` is that of the month among the twelve, from 1; the sum is exact decimal text. */
export type PaymentSums = { place: number; amount: string };

const PAYMENTS = `
  SELECT width_bucket(paid_on, $4::date[]) AS place, sum(amount)::text AS amount
    FROM invoicing_payments
   WHERE organization_id = $1 AND paid_on BETWEEN $2 AND $3
   GROUP BY 1`;

/** What was paid in each of the months. */
export function paymentSums(
  { connection, organization_id }: Reader,
  { months }: Pick<Asked, 'months'>,
): Promise<PaymentSums[]> {
  const starts = months.map(({ from }) => from);
  return connection.query<PaymentSums>(PAYMENTS, [organization_id, starts[0], months.at(-1)!.to, starts], {
    prepared: false,
  });
}
