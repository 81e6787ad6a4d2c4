import type { Reader } from '../../kernel/reader.ts';
import { contextOf } from '../documents/context.ts';
import { ageingBuckets } from '../documents/due.ts';
import { type AskedPeriod, monthsUntil } from './period.ts';
import {
  type Asked,
  type CompanySums,
  companiesOwing,
  type InvoiceSums,
  invoiceSums,
  type OpenSums,
  openSums,
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

/**
 * The figures of the invoices and quotations whose day of issue is in the period, of all of them where none is asked for;
 * what is open is that of `as_of`, today unless said.
 */
export async function dashboardOf(
  reader: Reader,
  { as_of: asked_day, ...period }: AskedPeriod & { as_of: string | null },
): Promise<Dashboard> {
  const { today, settings } = await contextOf(reader);
  const as_of = asked_day ?? today;
  const months = monthsUntil(period.to ?? as_of);
  // Of days to come, and of today, what is open now is all that is known.
  const past = as_of < today ? { as_of, time_zone: settings.time_zone } : null;
  const about = { period, months, as_of };
  const [invoices, { open, companies }, quotations, payments] = await Promise.all([
    invoiceSums(reader, about),
    past ? openSums(reader, about, { past, most: TOP }) : openNow(reader, about),
    quotationSums(reader, period),
    paymentSums(reader, about),
  ]);
  const within = invoices.filter(({ is_within }) => is_within);
  const outstanding: readonly OpenSums[] = open ?? within.filter(({ bucket }) => bucket !== null);
  const byTotal = (status: string) =>
    figure(
      within.filter((sums) => sums.status === status),
      'total',
    );
  const byBalance = (some: readonly OpenSums[]) => figure(some, 'balance');
  return {
    ...period,
    as_of,
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

/** What is open now is among the sums of invoices already. */
async function openNow(reader: Reader, about: Asked): Promise<{ open: null; companies: CompanySums[] }> {
  return { open: null, companies: await companiesOwing(reader, about, TOP) };
}

function figure<Field extends 'total' | 'balance'>(
  sums: readonly ({ count: number } & Record<Field, string>)[],
  field: Field,
): Figure {
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
