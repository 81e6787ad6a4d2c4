import { daysLater } from '../../kernel/days.ts';
import { idSeries, newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Actor } from '../../kernel/reader.ts';
import { blank } from '../../kernel/record-fields.ts';
import { dueDate } from '../due-date.ts';
import type { SettingsInForce } from '../settings/queries.ts';
import type { Totals } from '../tax/totals.ts';
import type { DocumentCompany } from './company.ts';
import { type DocumentKind, kinds } from './kinds.ts';
import type { DocumentLine, LineInput } from './line.ts';
import type { DocumentRecord } from './record.ts';
import { NOTHING_RELATED } from './related.ts';
import { historyColumns } from './rows.ts';
import type { DocumentInput } from './shape.ts';
import { type Counted, computeTotals } from './totals.ts';

/** What a new document is made by, beside what was sent. */
export type Making = {
  settings: SettingsInForce;
  company: DocumentCompany;
  actor: Actor;
  now: Date;
  /** By position, the lines that its lines are made of. */
  origins?: readonly LineOrigin[] | undefined;
  /** Amounts and totals that follow from more than the document itself. */
  counted?: { amounts: readonly (bigint | null)[]; totals: Totals } | undefined;
};

export type LineOrigin = { source_line_id: string; source_document_id: string } | null;

/** Days that a quotation is valid unless said. */
const VALIDITY = 30;

/**
 * A document that is about to be made; what was not sent has its default, and what was sent as null is left out.
 * Errors: `validation_failed`, as computing the totals has them.
 */
export function draftOf(kind: DocumentKind, input: DocumentInput, making: Making): DocumentRecord {
  const { settings, company, actor, now } = making;
  const { prefix, statuses, has_due_date } = kinds[kind];
  const at = now.toISOString();
  const dates = transactionDates(input);
  const rules = {
    tax_display_mode: input.tax_display_mode ?? settings.default_tax_display_mode,
    tax_rounding: input.tax_rounding ?? settings.default_tax_rounding,
    withholding_mode: input.withholding_mode ?? 'none',
  };
  const { lines, totals } = count(linesOf(input.line_items, making), { ...rules, ...dates }, making);
  const memo = kind === 'credit_note' ? null : settings.memo_templates[kind];
  return {
    kind,
    id: newId(prefix, now),
    number: input.number ?? null,
    status: statuses[0],
    company_id: input.company_id,
    contact_id: input.contact_id ?? null,
    honorific: input.honorific ?? company.honorific,
    company_snapshot: null,
    subject: input.subject ?? null,
    issue_date: input.issue_date,
    ...dates,
    due_date: has_due_date ? sentOr(input.due_date, () => defaultDue(kind, input.issue_date, making)) : null,
    issuer_name: sentOr(input.issuer_name, () => settings.issuer_name),
    issuer_detail: sentOr(input.issuer_detail, () => settings.issuer_detail),
    issuer_registration_number: settings.issuer_registration_number,
    bank_account: sentOr(input.bank_account, () => settings.bank_account),
    memo: sentOr(input.memo, () => memo),
    internal_memo: input.internal_memo ?? null,
    delivery_date: input.delivery_date ?? null,
    delivery_place: input.delivery_place ?? null,
    payment_terms_text: input.payment_terms_text ?? null,
    show_prices: kinds[kind].has_show_prices ? (input.show_prices ?? true) : null,
    ...rules,
    currency: 'JPY',
    external_id: input.external_id ?? null,
    metadata: metadataAfter({}, input.metadata),
    ...totals,
    amount_paid: 0n,
    credited: 0n,
    balance: totals.amount_due,
    ...blank(historyColumns),
    created_by: actor.user_id,
    created_at: at,
    updated_at: at,
    lines,
    ...NOTHING_RELATED,
  };
}

/** A value that was sent, be it null, or the default. */
function sentOr<Value>(sent: Value | undefined, standard: () => Value): Value {
  return sent === undefined ? standard() : sent;
}

/** When the delivery was: a day, or a period; the day of issue where neither was sent. */
export function transactionDates({
  transaction_date,
  transaction_period,
  issue_date,
}: Pick<DocumentInput, 'transaction_date' | 'transaction_period' | 'issue_date'>) {
  if (!transaction_period) {
    return { transaction_date: transaction_date ?? issue_date, transaction_from: null, transaction_to: null };
  }
  const { from, to } = transaction_period;
  return { transaction_date: null, transaction_from: from, transaction_to: to };
}

/** The day that a document of that day is valid until, or to be paid by. */
function defaultDue(
  kind: DocumentKind,
  issue_date: string,
  { company, settings }: Pick<Making, 'company' | 'settings'>,
): string {
  if (kind === 'quotation') return daysLater(issue_date, VALIDITY);
  return dueDate(issue_date, company.payment_terms ?? settings.default_due);
}

function linesOf(inputs: readonly LineInput[], { now, origins }: Making): DocumentLine[] {
  const nextId = idSeries('li', now);
  return inputs.map((input, index) => newLine(nextId(), input, origins?.[index] ?? null));
}

/** A line as it was sent, not counted yet. */
export function newLine(id: string, input: LineInput, origin: LineOrigin): DocumentLine {
  const isItem = input.type !== 'text';
  return {
    id,
    type: isItem ? 'item' : 'text',
    description: input.description,
    item_code: input.item_code ?? null,
    quantity: isItem ? (input.quantity ?? '1') : null,
    unit: input.unit ?? null,
    unit_price: isItem ? (input.unit_price ?? null) : null,
    tax_category: isItem ? (input.tax_category ?? 'standard') : null,
    tax_rate: null,
    withholding: input.withholding ?? false,
    amount: null,
    source_line_id: origin?.source_line_id ?? null,
    source_document_id: origin?.source_document_id ?? null,
  };
}

/** Amounts that come from outside stand in the place of those that follow from the lines. */
function count(
  lines: readonly DocumentLine[],
  rules: Parameters<typeof computeTotals>[1],
  { counted }: Making,
): Counted {
  const own = computeTotals(lines, rules);
  if (!counted) return own;
  const withAmounts = own.lines.map((line, index) => ({
    ...line,
    amount: counted.amounts[index] ?? line.amount,
  }));
  return { lines: withAmounts, totals: counted.totals };
}
