import type { Condition } from '../../db/keyset.ts';
import { daysBetween, daysLater } from '../../kernel/days.ts';

/*
 * When an invoice is to be paid, and since when it should have been: told of one invoice, and as conditions for the
 * rows of invoicing_documents. Lists, the dashboard and the fields of an invoice all ask here; a test holds the two
 * forms together. `today` is the day in the time zone of the settings.
 */

/** Issued and not settled, whether sent or not. */
const openStatuses = ['approved', 'sent', 'partially_paid'] as const;

/** How long an outstanding invoice is overdue, in days. */
export const ageingBuckets = ['not_due', '1_30', '31_60', '61_90', '91_plus'] as const;

export type AgeingBucket = (typeof ageingBuckets)[number];

/** Days ahead, today among them as the first, in which an invoice is due soon. */
const SOON = 7;

/** The last day overdue of every bucket that has one. */
const LAST_DAY: Record<AgeingBucket, number | null> = {
  not_due: 0,
  '1_30': 30,
  '31_60': 60,
  '61_90': 90,
  '91_plus': null,
};

/** What the state of an invoice follows from; `balance` in yen. */
export type DueInvoice = { status: string; due_date: string | null; balance: bigint };

/** Whether something is still to be paid: one whose balance is 0 by credit alone keeps its status, and is settled. */
export function isOutstanding({ status, balance }: DueInvoice): boolean {
  return balance > 0n && openStatuses.some((open) => open === status);
}

/** Days since the due date of an outstanding invoice, null where it has not passed. */
export function daysOverdue(invoice: DueInvoice, today: string): number | null {
  if (!isOutstanding(invoice) || invoice.due_date === null || invoice.due_date >= today) return null;
  return daysBetween(invoice.due_date, today);
}

/** Whether the due date of an outstanding invoice has passed. */
export function isOverdue(invoice: DueInvoice, today: string): boolean {
  return daysOverdue(invoice, today) !== null;
}

/** Whether an outstanding invoice is due today or within a week. */
export function isDueSoon(invoice: DueInvoice, today: string): boolean {
  const { due_date } = invoice;
  return isOutstanding(invoice) && due_date !== null && due_date >= today && due_date <= lastSoon(today);
}

/** The bucket of an outstanding invoice, null for every other one. */
export function ageingOf(invoice: DueInvoice, today: string): AgeingBucket | null {
  if (!isOutstanding(invoice)) return null;
  const days = daysOverdue(invoice, today) ?? 0;
  return ageingBuckets.find((bucket) => days <= (LAST_DAY[bucket] ?? Number.POSITIVE_INFINITY))!;
}

/** Whether a quotation was sent and its validity has passed without an answer. */
export function isExpired(
  { status, due_date }: { status: string; due_date: string | null },
  today: string,
): boolean {
  return status === 'sent' && due_date !== null && due_date < today;
}

/** `isOutstanding` as SQL over invoices; the text of the index that serves it. */
export const OUTSTANDING = "status IN ('approved', 'sent', 'partially_paid') AND balance > 0";

/** `isOverdue`, or its opposite, as a condition over invoices. */
export function overdue(wanted: boolean, today: string): Condition {
  return asked(wanted, `${OUTSTANDING} AND due_date < ?`, [today]);
}

/** `isDueSoon`, or its opposite, as a condition over invoices. */
export function dueSoon(wanted: boolean, today: string): Condition {
  return asked(wanted, `${OUTSTANDING} AND due_date BETWEEN ? AND ?`, [today, lastSoon(today)]);
}

/** Whether something is still to be paid, or not, as a condition over invoices. */
export function outstanding(wanted: boolean): Condition {
  return asked(wanted, OUTSTANDING, []);
}

/** Being in a bucket, as a condition over invoices. */
export function ageing(bucket: AgeingBucket, today: string): Condition {
  if (bucket === 'not_due') {
    return { text: `(${OUTSTANDING} AND (due_date >= ? OR due_date IS NULL))`, values: [today] };
  }
  const [earliest, latest] = dueDatesOf(bucket, today);
  if (earliest === null) return { text: `(${OUTSTANDING} AND due_date <= ?)`, values: [latest] };
  return { text: `(${OUTSTANDING} AND due_date BETWEEN ? AND ?)`, values: [earliest, latest] };
}

/** The bucket of an invoice as SQL, null where it is not outstanding; `today` is SQL for the day. */
export function ageingExpression(today: string): string {
  return `CASE WHEN ${OUTSTANDING} THEN ${outstandingBucket(today)} END`;
}

/**
 * The bucket of an outstanding invoice as SQL; `today` is SQL for the day. It does not name the status, which the index
 * of open invoices does not hold, so that the index alone can answer.
 */
export function outstandingBucket(today: string): string {
  const late = ageingBuckets
    .filter((bucket) => bucket !== 'not_due')
    .map((bucket) => {
      const last = LAST_DAY[bucket];
      return last === null ? `ELSE '${bucket}'` : `WHEN due_date >= ${today} - ${last} THEN '${bucket}'`;
    });
  return `CASE WHEN due_date IS NULL OR due_date >= ${today} THEN 'not_due' ${late.join(' ')} END`;
}

/** `isDueSoon` of an invoice as SQL; `today` is SQL for the day. */
export function dueSoonExpression(today: string): string {
  return `coalesce(${OUTSTANDING} AND due_date BETWEEN ${today} AND ${today} + ${SOON}, false)`;
}

/** `isExpired`, or its opposite, as a condition over quotations. */
export function expired(wanted: boolean, today: string): Condition {
  return asked(wanted, "status = 'sent' AND due_date < ?", [today]);
}

/** The first and the last due date of a bucket of overdue invoices; the oldest one has no first. */
function dueDatesOf(bucket: AgeingBucket, today: string): [string | null, string] {
  const before = ageingBuckets[ageingBuckets.indexOf(bucket) - 1]!;
  const last = LAST_DAY[bucket];
  return [last === null ? null : daysLater(today, -last), daysLater(today, -LAST_DAY[before]! - 1)];
}

function lastSoon(today: string): string {
  return daysLater(today, SOON);
}

/** The opposite holds too where a row has no due date. */
function asked(wanted: boolean, text: string, values: unknown[]): Condition {
  return { text: wanted ? `(${text})` : `(${text}) IS NOT TRUE`, values };
}
