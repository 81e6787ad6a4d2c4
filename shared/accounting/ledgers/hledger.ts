import { withSurvivor } from '../../crm/companies/names.ts';
import type { Language } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { AskedReport, OwnFormat } from '../../platform/reports/report.ts';
import type { AccountType, Section } from '../accounts/kinds.ts';
import type { JournalKind } from '../journals/kinds.ts';
import { accountName, byCode, type ReportAccount } from '../reports/figures.ts';
import { reportAccounts } from '../reports/read-accounts.ts';
import { BOOK_ORDER, bookEntries } from './journal-book.ts';
import { type BookLines, bookLinesOf, valuesOf } from './lines.ts';

/** A line with its entry, as postings are written from it. */
export type Posting = {
  journal_id: string;
  date: string;
  number: number;
  kind: JournalKind;
  description: string | null;
  account_type: AccountType;
  section: Section;
  code: string;
  debit: number;
  credit: number;
  tax_category: string;
  company_id: string | null;
  department_id: string | null;
};

const types: Readonly<Record<AccountType, { top: string; type: string }>> = {
  asset: { top: 'assets', type: 'A' },
  liability: { top: 'liabilities', type: 'L' },
  equity: { top: 'equity', type: 'E' },
  revenue: { top: 'revenues', type: 'R' },
  expense: { top: 'expenses', type: 'X' },
};

/** The signs that would end a text, and part a payee from a note, become full-width; line ends and other controls a space. */
function plain(text: string): string {
  return text
    .replaceAll(';', '；')
    .replaceAll('|', '｜')
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
}

function accountOf({
  account_type,
  section,
  code,
}: Pick<Posting, 'account_type' | 'section' | 'code'>): string {
  return `${types[account_type].top}:${section}:${code}`;
}

/** A tag ends at a comma, which a name may hold. */
function directive(account: ReportAccount, language: Language): string {
  const name = plain(accountName(account, language)).replaceAll(',', '，');
  return `account ${accountOf(account)}\n  ; type:${types[account.account_type].type}, name:${name}\n`;
}

function entryHead({ date, number, description, kind, journal_id }: Posting): string {
  const said = description === null ? '' : ` ${plain(description)}`;
  return `\n${date} * (${number})${said}  ; kind:${kind}, id:${journal_id}\n`;
}

function postingLine(posting: Posting): string {
  const { debit, credit, tax_category, company_id, department_id } = posting;
  const tags = [
    `tax:${tax_category}`,
    ...(company_id === null ? [] : [`company:${company_id}`]),
    ...(department_id === null ? [] : [`department:${department_id}`]),
  ];
  return `    ${accountOf(posting)}  ${debit - credit} JPY  ; ${tags.join(', ')}\n`;
}

/** The entries as a journal of hledger, one part each; the postings of an entry follow each other. */
export async function* journalText(
  accounts: readonly ReportAccount[],
  postings: AsyncIterable<Posting>,
  language: Language,
): AsyncGenerator<string, void, void> {
  yield byCode(accounts)
    .map((account) => directive(account, language))
    .join('');
  let journal_id: string | undefined;
  let text = '';
  for await (const posting of postings) {
    if (posting.journal_id !== journal_id) {
      yield text;
      text = entryHead(posting);
      journal_id = posting.journal_id;
    }
    text += postingLine(posting);
  }
  yield text;
}

function postingsStatement(reader: Reader, lines: BookLines) {
  const { values, add } = valuesOf(reader);
  const text = `
    SELECT journal.id AS journal_id, journal.date, journal.number, journal.kind, journal.description,
           account.account_type, account.section, account.code, line.debit, line.credit, line.tax_category,
           coalesce(survivor.company_id, line.company_id) AS company_id, line.department_id
      FROM accounting_journals AS journal
      JOIN accounting_lines AS line ON line.organization_id = $1 AND line.journal_id = journal.id
      JOIN accounting_accounts AS account ON account.organization_id = $1 AND account.id = line.account_id
      ${withSurvivor('line.company_id')}
     WHERE ${bookEntries(lines, add)} ${BOOK_ORDER}, line.line`;
  return { text, values };
}

/** The journal book as a journal for plain text accounting, which hledger and Ledger read. */
export const hledger: OwnFormat = {
  extension: 'journal',
  media_type: 'text/plain; charset=utf-8',
  async *write(reader: Reader, asked: AskedReport, language, fetch) {
    const lines = await bookLinesOf(reader, asked);
    const { text, values } = postingsStatement(reader, lines);
    yield* journalText(await reportAccounts(reader), fetch<Posting>(text, values), language);
  },
};
