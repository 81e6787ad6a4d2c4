import { companiesChangedAt, withCompany } from '../../crm/companies/names.ts';
import type { Language } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Report, ReportColumn, ReportRow, Statement } from '../../platform/reports/report.ts';
import { withTotal } from '../../platform/reports/sums.ts';
import { paperState, reportHead } from '../reports/paper.ts';
import { hledger } from './hledger.ts';
import { BOOK_ORDER, bookEntries } from './journal-book.ts';
import { type BookLines, bookLinesOf, countedLines, valuesOf } from './lines.ts';

type Cell = ReportColumn & {
  /** What the statement answers for it. */
  sql: string;
};

const csv = (name: string, sql: string): Cell => {
  return { name, kind: 'text', title: { ja: name, en: name }, width: 0, formats: ['csv'], sql };
};

const yen = (name: string, ja: string, en: string): Cell => {
  const title = { ja, en };
  return {
    name,
    kind: 'yen',
    title,
    width: 28,
    is_summed: true,
    is_blank_at_zero: true,
    sql: `line.${name}`,
  };
};

/** In the order of the CSV file; those of a PDF alone stand behind the ones that they are made of. */
const cellsIn = (language: Language): readonly Cell[] => {
  const account = language === 'en' ? 'coalesce(account.name_en, account.name)' : 'account.name';
  return [
    { name: 'date', kind: 'day', title: { ja: '日付', en: 'Date' }, width: 21, sql: 'journal.date' },
    { name: 'number', kind: 'text', title: { ja: '番号', en: 'No.' }, width: 15, sql: 'journal.number' },
    csv('journal_id', 'journal.id'),
    csv('kind', 'journal.kind'),
    csv('description', 'journal.description'),
    csv('line', 'line.line'),
    csv('account_code', 'account.code'),
    csv('account_name', account),
    {
      name: 'account',
      kind: 'text',
      title: { ja: '勘定科目', en: 'Account' },
      width: 44,
      formats: ['pdf'],
      sql: `account.code || ' ' || ${account}`,
    },
    {
      name: 'text',
      kind: 'text',
      title: { ja: '摘要', en: 'Description' },
      width: 60,
      formats: ['pdf'],
      sql: `nullif(concat_ws(' ', journal.description, line.description), '')`,
    },
    yen('debit', '借方', 'Debit'),
    yen('credit', '貸方', 'Credit'),
    {
      name: 'tax_category',
      kind: 'text',
      title: { ja: '税区分', en: 'Tax' },
      width: 16,
      sql: 'line.tax_category',
    },
    csv('company', 'coalesce(company.label, line.company_id)'),
    {
      name: 'company_name',
      kind: 'text',
      title: { ja: '取引先', en: 'Company' },
      width: 38,
      formats: ['pdf'],
      sql: 'coalesce(company.name, line.company_id)',
    },
    csv('department', 'line.department_id'),
    csv('line_description', 'line.description'),
    csv('reference', 'journal.reference'),
  ];
};

const columns: readonly ReportColumn[] = cellsIn('ja').map(({ sql: _, ...column }) => column);

/** The statement that reads the lines of a book in their order, with the columns of a form of file. */
function linesStatement(
  reader: Reader,
  lines: BookLines,
  language: Language,
  format: 'csv' | 'pdf',
): Statement {
  const { values, add } = valuesOf(reader);
  const shown = cellsIn(language).filter(({ formats }) => formats?.includes(format) ?? true);
  const text = `SELECT ${shown.map(({ name, sql }) => `${sql} AS ${name}`).join(', ')}
      FROM accounting_journals AS journal
      JOIN accounting_lines AS line ON line.organization_id = $1 AND line.journal_id = journal.id
      JOIN accounting_accounts AS account ON account.organization_id = $1 AND account.id = line.account_id
      ${withCompany('line.company_id')}
     WHERE ${bookEntries(lines, add)} ${BOOK_ORDER}, line.line`;
  return { text, values };
}

async function* rows(
  fetch: AsyncIterable<Record<string, string | number | null>>,
): AsyncGenerator<ReportRow, void, void> {
  for await (const row of fetch) {
    const cells = columns.map(({ name }) => {
      const cell = row[name] ?? null;
      return cell === null ? null : String(cell);
    });
    yield { type: 'line', cells };
  }
}

/** 仕訳帳: every entry with its lines. */
export const journalBookReport: Report = {
  name: 'accounting.journal_book',
  scope: 'accounting:read',
  title: { ja: '仕訳帳', en: 'Journal book' },
  formats: { hledger },
  columns: () => columns,
  head: reportHead,
  async state(reader, asked) {
    const { values, add } = valuesOf(reader);
    const text = `SELECT FROM accounting_journals AS journal
      JOIN accounting_lines AS line ON line.organization_id = $1 AND line.journal_id = journal.id
     WHERE ${bookEntries(await bookLinesOf(reader, asked), add)}`;
    const { revision } = await paperState(reader, asked, [await companiesChangedAt(reader)]);
    return { revision, lines: await countedLines(reader, { text, values }) };
  },
  async *rows(reader, asked, language, fetch) {
    const lines = await bookLinesOf(reader, asked);
    const { text, values } = linesStatement(reader, lines, language, 'pdf');
    yield* withTotal(columns, rows(fetch(text, values)), language === 'ja' ? '合計' : 'Total');
  },
  async csv_rows(reader, asked, language) {
    return linesStatement(reader, await bookLinesOf(reader, asked), language, 'csv');
  },
};
