import type { CompanySnapshot } from '../documents/fields.ts';
import type { BankAccount } from '../settings/bank-account.ts';
import type { SettingsImage } from '../settings/record.ts';
import type { TaxDisplayMode } from '../tax/breakdown.ts';
import type { Totals } from '../tax/totals.ts';
import { addressOf } from './address.ts';
import { day, type Period, period, yen } from './formats.ts';
import { words } from './languages.ts';
import { type PrintedLine, printColumns, printLines } from './lines.ts';
import { PRINT_FORM, type Print, type PrintField, type PrintKind, type PrintLocale } from './model.ts';
import { printSums } from './sums.ts';
import type { Words } from './words.ts';

/** What a page shows of a document. */
export type PrintedDocument = {
  kind: PrintKind;
  number: string | null;
  honorific: string;
  subject: string | null;
  issue_date: string;
  transaction_date: string | null;
  transaction_period: Period | null;
  due_date: string | null;
  issuer_name: string | null;
  issuer_detail: string | null;
  issuer_registration_number: string | null;
  bank_account: BankAccount | null;
  memo: string | null;
  delivery_date: string | null;
  delivery_place: string | null;
  payment_terms_text: string | null;
  show_prices: boolean;
  tax_display_mode: TaxDisplayMode;
  reason: string | null;
  line_items: readonly PrintedLine[];
  totals: Totals;
};

/** What a page shows of the settings. */
export type PrintedSettings = {
  issuer_name: string;
  logo: SettingsImage | null;
  seal: SettingsImage | null;
  window_envelope: Print['window_envelope'];
  locale: PrintLocale;
};

/** What a page shows beyond the document and the settings. */
export type PrintExtras = {
  is_draft: boolean;
  company: CompanySnapshot;
  /** The contact, by the whole name. */
  person: { name: string; position: string | null } | null;
  /** What a credit note takes back. */
  invoice: { number: string | null } | null;
};

/**
 * What the page of a document shows, as texts in the language of the settings. A registration number stands where the
 * document has one, and only then does anything call itself qualified (Consumption Tax Act, articles 57-4 (1) and (3)).
 * A purchase order is the buyer's: no number of an issuer of invoices belongs on it.
 */
export function printOf(document: PrintedDocument, settings: PrintedSettings, extras: PrintExtras): Print {
  const { locale } = settings;
  const said = words[locale];
  const { title, subtitle } = titleOf(document, said);
  const { number, memo, subject } = document;
  const show_prices = document.kind !== 'delivery_note' || document.show_prices;
  const lines = printLines(document.line_items, { said, locale, show_prices });
  return {
    form: PRINT_FORM,
    kind: document.kind,
    locale,
    draft_mark: extras.is_draft ? said.draft : null,
    window_envelope: settings.window_envelope,
    title,
    subtitle,
    number,
    running_head: number === null ? title : `${title} ${number}`,
    recipient: recipientOf(document, extras, settings),
    facts: factsOf(document, extras, settings),
    issuer: issuerOf(document, settings),
    subject: subject === null ? null : { label: said.subject, value: subject },
    greeting: said.kinds[document.kind].greeting,
    headline: show_prices ? headlineOf(document, said, locale) : null,
    terms: termsOf(document, said, locale),
    show_prices,
    columns: printColumns(document.tax_display_mode, said),
    lines,
    carried: said.carried,
    legend: lines.some(({ mark }) => mark !== '') ? said.legend : null,
    sums: show_prices ? printSums(document.totals, said, locale) : null,
    memo: memo?.trim() ? { label: said.memo, value: memo.trim() } : null,
    page_of: ' / ',
  };
}

function titleOf({ kind, issuer_registration_number }: PrintedDocument, said: Words) {
  if (kind === 'credit_note' && issuer_registration_number !== null) return said.qualified_return;
  return { title: said.kinds[kind].title, subtitle: null };
}

/** A person there is addressed in the company's place: 御中 is for the company alone. */
function recipientOf(
  { honorific }: PrintedDocument,
  { company, person }: PrintExtras,
  { locale }: PrintedSettings,
): Print['recipient'] {
  return {
    address: addressOf(company, locale),
    name: company.name,
    honorific: locale === 'ja' && person === null ? honorific : '',
    person: person && words[locale].person(person.name, person.position, honorific !== ''),
  };
}

function issuerOf(
  { kind, issuer_name, issuer_detail, issuer_registration_number }: PrintedDocument,
  { issuer_name: standard, logo, seal, locale }: PrintedSettings,
): Print['issuer'] {
  const registered = issuer_registration_number !== null && kind !== 'purchase_order';
  return {
    name: issuer_name ?? standard,
    detail: issuer_detail?.trim() ?? '',
    registration: registered
      ? { label: words[locale].registration, value: issuer_registration_number }
      : null,
    logo,
    seal,
  };
}

function factsOf(document: PrintedDocument, { invoice }: PrintExtras, { locale }: PrintedSettings) {
  const said = words[locale];
  const { kind, number, delivery_date, due_date } = document;
  const own = said.kinds[kind];
  const transaction = transactionOf(document, locale);
  const supplied = document.transaction_period ? said.transaction_period : said.transaction_date;
  const delivered = delivery_date === null ? transaction : day(delivery_date, locale);
  return fields([
    [own.number, number],
    [own.issued, day(document.issue_date, locale)],
    [supplied, kind === 'invoice' ? transaction : null],
    [said.valid_until, kind === 'quotation' && due_date !== null ? day(due_date, locale) : null],
    [said.delivered, kind === 'delivery_note' ? delivered : null],
    [said.invoice, kind === 'credit_note' ? (invoice?.number ?? null) : null],
    [said.original_date, kind === 'credit_note' ? transaction : null],
  ]);
}

function transactionOf({ transaction_date, transaction_period }: PrintedDocument, locale: PrintLocale) {
  if (transaction_period) return period(transaction_period, locale);
  return transaction_date === null ? null : day(transaction_date, locale);
}

function headlineOf({ kind, totals }: PrintedDocument, said: Words, locale: PrintLocale) {
  const withheld = totals.withholding_tax !== 0n;
  return {
    label: said.kinds[kind].headline,
    value: yen(totals.amount_due, locale),
    note: withheld ? said.withheld : said.with_tax,
  };
}

function termsOf(document: PrintedDocument, said: Words, locale: PrintLocale): PrintField[] {
  const { kind, due_date, delivery_date, bank_account, reason } = document;
  const delivery_due =
    kind === 'purchase_order' && delivery_date !== null ? day(delivery_date, locale) : null;
  return fields([
    [said.due, kind === 'invoice' && due_date !== null ? day(due_date, locale) : null],
    [said.delivery_due, delivery_due],
    [said.delivery_place, document.delivery_place],
    [said.payment_terms, document.payment_terms_text],
    [said.account, kind === 'invoice' && bank_account ? accountOf(bank_account, said) : null],
    [said.reason, reason],
  ]);
}

/** Bank and branch, kind and number, holder: a line each. */
function accountOf(account: BankAccount, said: Words): string {
  const coded = (name: string | null, code: string | null) =>
    name === null ? '' : `${name}${code === null ? '' : ` (${code})`}`;
  const { holder, holder_kana } = account;
  const kana = holder_kana === null || holder_kana === holder ? '' : `　${holder_kana}`;
  return [
    `${coded(account.bank, account.bank_code)} ${coded(account.branch, account.branch_code)}`.trimEnd(),
    `${said.account_types[account.type]} ${account.number}`,
    `${holder}${kana}`,
  ].join('\n');
}

function fields(named: [string, string | null][]): PrintField[] {
  return named.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}
