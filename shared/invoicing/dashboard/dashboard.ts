import type { Reader } from '../../kernel/reader.ts';
import { contextOf } from '../documents/context.ts';
import { ageingBuckets } from '../documents/due.ts';
import { monthsUntil, type Period, periodFor } from './period.ts';
import {
  companiesOwing,
  type InvoiceSums,
  invoiceSums,
  type PaymentSums,
  paymentSums,
  type QuotationSums,
  quotationSums,
} from './queries.ts';
import type { Dashboard, Figure } from './record.ts';

/** Companies that the dashboard names. */
const TOP = 10;

/** What becomes of an invoice that counts as issued. */
const ISSUED = ['approved', 'sent', 'partially_paid', 'paid'];

/** The figures of the invoices and quotations issued in the period asked for; by default the present fiscal year. */
export async function dashboardOf(reader: Reader, asked: Partial<Period>): Promise<Dashboard> {
  const { today, settings } = await contextOf(reader);
  const { fiscal_year_start_month } = settings;
  const period = periodFor(asked, today, fiscal_year_start_month);
  const months = monthsUntil(period.to);
  const about = { period, months, today };
  const [invoices, companies, quotations, payments] = await Promise.all([
    invoiceSums(reader, about),
    companiesOwing(reader, period, TOP),
    quotationSums(reader, period),
    paymentSums(reader, about),
  ]);
  const within = invoices.filter(({ is_within }) => is_within);
  const outstanding = within.filter(({ bucket }) => bucket !== null);
  const byTotal = (status: string) =>
    figure(
      within.filter((sums) => sums.status === status),
      'total',
    );
  const byBalance = (some: readonly InvoiceSums[]) => figure(some, 'balance');
  return {
    ...period,
    draft: byTotal('draft'),
    approved: byTotal('approved'),
    outstanding: byBalance(outstanding),
    overdue: byBalance(outstanding.filter(({ bucket }) => bucket !== 'not_due')),
    due_soon: byBalance(outstanding.filter(({ is_due_soon }) => is_due_soon)),
    paid: byTotal('paid'),
    cancelled: byTotal('cancelled'),
    ageing: ageingBuckets.map((bucket) => ({
      bucket,
      ...byBalance(outstanding.filter((sums) => sums.bucket === bucket)),
    })),
    months: months.map(({ month }, index) => ({
      month,
      issued: issuedIn(month, invoices),
      collected: collectedIn(index + 1, payments),
    })),
    average_days_to_pay: averageDays(within),
    top_companies: companies.map((company) => ({ ...company, balance: Number(company.balance) })),
    quotations: { open: quoted(quotations, 'sent'), won: quoted(quotations, 'accepted') },
  };
}

function figure(sums: readonly InvoiceSums[], field: 'total' | 'balance'): Figure {
  return {
    count: sums.reduce((count, each) => count + each.count, 0),
    amount: Number(sums.reduce((amount, each) => amount + BigInt(each[field]), 0n)),
  };
}

function issuedIn(month: string, invoices: readonly InvoiceSums[]): number {
  const issued = invoices.filter((sums) => sums.month === month && ISSUED.includes(sums.status));
  return figure(issued, 'total').amount;
}

function collectedIn(place: number, payments: readonly PaymentSums[]): number {
  return Number(payments.find((sums) => sums.place === place)?.amount ?? 0);
}

function quoted(quotations: readonly QuotationSums[], status: string): Figure {
  const found = quotations.find((sums) => sums.status === status);
  return { count: found?.count ?? 0, amount: Number(found?.total ?? 0) };
}

/** Of the paid invoices, with one decimal; null where none is. */
function averageDays(invoices: readonly InvoiceSums[]): number | null {
  const paid = invoices.filter(({ status }) => status === 'paid');
  const count = paid.reduce((sum, each) => sum + each.count, 0);
  const days = paid.reduce((sum, each) => sum + Number(each.days_to_pay), 0);
  return count === 0 ? null : Math.round((days / count) * 10) / 10;
}
