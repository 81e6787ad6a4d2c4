import { monthsUntil } from '../../invoicing/dashboard/period.ts';
import { ageingBuckets } from '../../invoicing/documents/due.ts';
import type { Reader } from '../../kernel/reader.ts';
import { receivedContext } from '../context.ts';
import {
  type AskedPeriod,
  companiesOwed,
  type InvoiceSums,
  invoiceSums,
  type PaymentSums,
  paymentSums,
  type UnpaidSums,
  unpaidSums,
} from './queries.ts';
import type { Figure, ReceivedDashboard } from './record.ts';

/** Companies that the dashboard names. */
const TOP = 10;

/** What becomes of an invoice that was approved. */
const APPROVED = ['approved', 'partially_paid', 'paid'];

/** The figures of the invoices whose day of issue is in the period, of all of them where none is asked for. */
export async function receivedDashboard(reader: Reader, period: AskedPeriod): Promise<ReceivedDashboard> {
  const { today } = await receivedContext(reader);
  const months = monthsUntil(period.to ?? today);
  const asked = { period, months, today };
  const [invoices, open, companies, payments] = await Promise.all([
    invoiceSums(reader, asked),
    unpaidSums(reader, asked),
    companiesOwed(reader, asked, TOP),
    paymentSums(reader, asked),
  ]);
  const within = invoices.filter(({ is_within }) => is_within);
  const approved = within.filter(({ status }) => APPROVED.includes(status));
  return {
    ...period,
    pending: byTotal(within.filter(({ status }) => status === 'pending')),
    unpaid: byBalance(open),
    due_soon: byBalance(open.filter(({ is_due_soon }) => is_due_soon)),
    overdue: byBalance(open.filter(({ bucket }) => bucket !== 'not_due')),
    paid: byTotal(invoices.filter(({ is_paid_within }) => is_paid_within)),
    next_due_date: nextDue(open),
    ageing: ageingBuckets.map((bucket) => ({
      bucket,
      ...byBalance(open.filter((sums) => sums.bucket === bucket)),
    })),
    months: months.map(({ month }, index) => ({
      month,
      received: receivedIn(month, invoices),
      paid: paidIn(index + 1, payments),
    })),
    top_companies: companies.map((company) => ({ ...company, balance: Number(company.balance) })),
    non_registered: sumOf(approved.map(({ non_registered }) => non_registered)),
    non_deductible_tax: sumOf(approved.map(({ non_deductible }) => non_deductible)),
  };
}

function byTotal(sums: readonly InvoiceSums[]): Figure {
  return { count: countOf(sums), amount: sumOf(sums.map(({ total }) => total)) };
}

function byBalance(sums: readonly UnpaidSums[]): Figure {
  return { count: countOf(sums), amount: sumOf(sums.map(({ balance }) => balance)) };
}

function countOf(sums: readonly { count: number }[]): number {
  return sums.reduce((all, { count }) => all + count, 0);
}

function sumOf(amounts: readonly string[]): number {
  return Number(amounts.reduce((sum, amount) => sum + BigInt(amount), 0n));
}

function nextDue(open: readonly UnpaidSums[]): string | null {
  const days = open.flatMap(({ bucket, first_due }) => (bucket === 'not_due' ? (first_due ?? []) : []));
  return days.sort()[0] ?? null;
}

function receivedIn(month: string, invoices: readonly InvoiceSums[]): number {
  return byTotal(invoices.filter((sums) => sums.month === month && APPROVED.includes(sums.status))).amount;
}

function paidIn(place: number, payments: readonly PaymentSums[]): number {
  return Number(payments.find((sums) => sums.place === place)?.amount ?? 0);
}
