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

/** `past` is there where what is open is that of a day before today. */
export type Asked = {
  period: AskedPeriod;
  months: readonly Month[];
  as_of: string;
  past: Past | null;
};

/** The first and the last day that issued documents may have. */
const ALL_DAYS = ['0001-01-01', '9999-12-31'] as const;

function daysOf({ from, to }: AskedPeriod): [string, string] {
  return [from ?? ALL_DAYS[0], to ?? ALL_DAYS[1]];
}

/** What was open, added up by how late it was. */
export type OpenSums = Pick<InvoiceSums, 'bucket' | 'is_due_soon' | 'count' | 'balance'>;

const OPEN_SUMS = `
  SELECT ${outstandingBucket('$2::date')} AS bucket,
         due_date BETWEEN $2::date AND $2::date + 7 AS is_due_soon,
         count(*)::int AS count,
         sum(balance)::text AS balance
    FROM (${OPEN_THEN}) AS open
   WHERE issue_date BETWEEN $4 AND $5
   GROUP BY 1, 2`;

/** The invoices of the period that were open on a day that is past. */
export function openSums(reader: Reader, { period, past }: Asked): Promise<OpenSums[]> {
  const values = [...valuesOfPast(reader, past!), ...daysOf(period)];
  return reader.connection.query<OpenSums>(OPEN_SUMS, values, { prepared: false });
}

export type CompanySums = { company_id: string; name: string; count: number; balance: string };

/** `$1` is the organization; the places of the days and of the number of companies follow what `open` takes. */
const companies = (open: string, place: number) => `
  SELECT owing.company_id, company.name, owing.count, owing.balance::text AS balance
    FROM (
      SELECT company_id, count(*) AS count, sum(balance) AS balance
        FROM (${open}) AS open
       WHERE issue_date BETWEEN $${place} AND $${place + 1}
       GROUP BY company_id
       ORDER BY 3 DESC, 1
       LIMIT $${place + 2}
    ) AS owing
    JOIN crm_companies AS company ON company.organization_id = $1 AND company.id = owing.company_id
   ORDER BY owing.balance DESC, owing.company_id`;

const OPEN_NOW = `SELECT company_id, issue_date, balance FROM invoicing_documents
  WHERE organization_id = $1 AND kind = 'invoice' AND ${OUTSTANDING}`;

const COMPANIES = companies(OPEN_NOW, 2);
const COMPANIES_THEN = companies(OPEN_THEN, 4);

/** The companies that owe the most for invoices of the period. */
export function companiesOwing(
  reader: Reader,
  { period, past }: Asked,
  most: number,
): Promise<CompanySums[]> {
  const open = past ? valuesOfPast(reader, past) : [reader.organization_id];
  const values = [...open, ...daysOf(period), most];
  return reader.connection.query<CompanySums>(past ? COMPANIES_THEN : COMPANIES, values, { prepared: false });
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
