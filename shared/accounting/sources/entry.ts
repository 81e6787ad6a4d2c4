import { oneOf } from '../../db/one-of.ts';
import { type BookedDocument, lockBookedDocument } from '../../invoicing/booked.ts';
import { contextOf } from '../../invoicing/documents/context.ts';
import { Failure, invalid } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Text } from '../../kernel/language.ts';
import type { Work } from '../../kernel/work.ts';
import type { RecordRef } from '../../platform/bookkeeping.ts';
import { type Calendar, requireOpenDay } from '../journals/calendar.ts';
import { newRow } from '../journals/operations.ts';
import { mapIncomplete } from '../journals/resolve.ts';
import type { Entry, LineRow } from '../journals/rows.ts';
import type { AccountMap } from '../settings/account-map.ts';
import type { SourceLine } from './booking.ts';
import { creditNoteEntry, invoiceEntry } from './documents.ts';
import { lockDepositSources, lockPaymentSource } from './money.ts';
import { type LockSources, oneByOne, type Source } from './source.ts';

/** What an entry can be made from, of the records of invoicing. */
export const documentSources = ['invoice', 'payment', 'credit_note', 'deposit'] as const;

export type DocumentSource = (typeof documentSources)[number];

/** By ID, the records of invoicing that entries are made from, locked: deposits together, then the others in their order. */
export const lockSources: LockSources = async (work, records) => {
  const deposits = records.filter(({ type }) => type === 'deposit').map(({ id }) => id);
  const locked = await lockDepositSources(work, deposits);
  const others = await lockOthers(
    work,
    records.filter(({ type }) => type !== 'deposit'),
  );
  return new Map([...locked, ...others]);
};

const lockOthers = oneByOne(async (work, { type, id }) => {
  if (type === 'payment') return lockPaymentSource(work, id);
  if (type !== 'invoice' && type !== 'credit_note') throw new Error(`${type} is no source of invoicing`);
  const document = await lockBookedDocument(work, type, id);
  return document && documentSource(type, document);
});

function documentSource(type: 'invoice' | 'credit_note', row: BookedDocument): Source {
  const { id, number, status, issue_date, transaction_date, transaction_to } = row;
  const document = {
    ...row,
    amount_due: BigInt(row.amount_due),
    withholding_tax: BigInt(row.withholding_tax),
    tax_breakdown: row.tax_breakdown.map(({ tax_category, tax_rate, net, tax, gross }) => {
      return { tax_category, tax_rate, net: BigInt(net), tax: BigInt(tax), gross: BigInt(gross) };
    }),
  };
  const own = { type, id, title: titles[type], number, status };
  if (type === 'credit_note')
    return {
      ...own,
      date: issue_date!,
      book: (books) => creditNoteEntry({ ...document, issue_date: issue_date! }, books),
    };
  const date = transaction_to ?? transaction_date ?? issue_date!;
  return {
    ...own,
    date,
    book: (books) => invoiceEntry({ ...document, transaction_date: date, transaction_to: null }, books),
  };
}

const titles: Readonly<Record<'invoice' | 'credit_note', Text>> = {
  invoice: { ja: '請求書', en: 'Invoice' },
  credit_note: { ja: '返還請求書', en: 'Credit note' },
};

/**
 * The entry of a locked source, a draft still; null where all its amounts are 0. The books of its year are locked by the
 * calendar. Errors: those of its day, `no_tax_category`, `account_map_incomplete`, `inactive_account`.
 */
export async function entryOf(
  work: Work,
  source: Source,
  calendar: Calendar,
  account_map: AccountMap,
): Promise<Entry | null> {
  const { type, id, title, number, date, reference = number } = source;
  const year = requireOpenDay(work, calendar, { date, source_type: type }, null);
  const booked = source.book({ account_map, tax_books: year.tax_books, tax_rounding: year.tax_rounding });
  if (booked.outcome === 'nothing_to_post') return null;
  if (booked.outcome === 'no_tax_category') throw noTaxCategory(booked.missing);
  if (booked.outcome === 'account_map_incomplete') {
    throw mapIncomplete(booked.missing.map((place) => `/${place}`));
  }
  const lines = await namedLines(work, booked.lines);
  const { settings } = await contextOf(work);
  const description = `${title[settings.locale]} ${number ?? ''}`.trim();
  const row = newRow(work, { date, description, reference }, calendar, lines);
  return { row: { ...row, source_type: type, source_id: id }, lines };
}

function noTaxCategory(missing: readonly { tax_category: string; tax_rate: number }[]): Failure {
  const named = missing.map(({ tax_category, tax_rate }) => `${tax_category} ${tax_rate}%`).join(', ');
  return new Failure('no_tax_category', {
    detail: {
      en: `No tax category of the books is for ${named}`,
      ja: `${named} に対応する会計の税区分がありません`,
    },
    members: { missing },
  });
}

type NamedAccount = { id: string; code: string; name: string; is_active: boolean };

/** What an operation has read of the accounts of its entries: many records are booked on the same few. */
const known = new WeakMap<Work, Map<string, NamedAccount>>();

async function accountsOf(work: Work, ids: readonly string[]): Promise<ReadonlyMap<string, NamedAccount>> {
  const accounts = known.get(work) ?? new Map<string, NamedAccount>();
  known.set(work, accounts);
  const unknown = [...new Set(ids)].filter((id) => !accounts.has(id));
  if (unknown.length === 0) return accounts;
  const found = await work.connection.query<NamedAccount>(
    `SELECT id, code, name, is_active FROM accounting_accounts WHERE organization_id = $1 AND id = ${oneOf('$2')}`,
    [work.organization_id, unknown],
  );
  for (const account of found) accounts.set(account.id, account);
  return accounts;
}

async function namedLines(work: Work, lines: readonly SourceLine[]): Promise<LineRow[]> {
  const accounts = await accountsOf(
    work,
    lines.map(({ account_id }) => account_id),
  );
  return lines.map((line, index): LineRow => {
    const { code, name, is_active } = accounts.get(line.account_id)!;
    if (!is_active) throw inactive(code, name);
    return { id: newId('jel', work.now), line: index + 1, account_code: code, account_name: name, ...line };
  });
}

function inactive(code: string, name: string): Failure {
  const detail = {
    en: `${code} ${name} of the account map takes no new lines`,
    ja: `勘定科目の設定にある ${code} ${name} は無効です`,
  };
  return new Failure('inactive_account', { detail });
}

/** The record that a body names is not in the organization: 422. */
export function unknownSource({ type, id }: RecordRef): Failure {
  const message = {
    en: `No ${type} ${id} is in this organization`,
    ja: `${id} はこの組織に存在しません`,
  };
  return new Failure('unknown_reference', {
    detail: message,
    errors: [{ in: 'body', path: '/id', code: 'unknown_reference', message }],
  });
}

/** A mirror is asked for on a day before its entry: 422. */
export function beforeEntry(date: string): Failure {
  return invalid('/posting_date', 'too_small', {
    en: `posting_date must be ${date} or later`,
    ja: `posting_date は${date}以降の日付にしてください`,
  });
}
