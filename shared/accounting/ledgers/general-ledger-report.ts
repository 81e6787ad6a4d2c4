import { companiesChangedAt } from '../../crm/companies/names.ts';
import type { Language } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { FetchRows, Report, ReportColumn, ReportRow } from '../../platform/reports/report.ts';
import { paperState, reportHead } from '../reports/paper.ts';
import { allLines, beginLedger, countLedger, type LedgerBegun, type PrintedLine } from './general-ledger.ts';
import { bookLinesOf, type CounterAccount, counterAccountsOf } from './lines.ts';

/** Lines whose counter accounts are looked up together. */
const BATCH = 1_000;

const csv = (name: string): ReportColumn => {
  return { name, kind: 'text', title: { ja: name, en: name }, width: 0, formats: ['csv'] };
};

const pdf = (name: string, ja: string, en: string, width: number): ReportColumn => {
  return { name, kind: 'text', title: { ja, en }, width, formats: ['pdf'] };
};

const side = (name: string, ja: string, en: string): ReportColumn => {
  return { name, kind: 'yen', title: { ja, en }, width: 26, is_summed: true, is_blank_at_zero: true };
};

const columns: readonly ReportColumn[] = [
  csv('row_type'),
  { name: 'date', kind: 'day', title: { ja: '日付', en: 'Date' }, width: 21 },
  { name: 'number', kind: 'text', title: { ja: '番号', en: 'No.' }, width: 15 },
  csv('journal_id'),
  csv('kind'),
  csv('description'),
  csv('counter_code'),
  csv('counter_name'),
  pdf('counter_account', '相手科目', 'Counter account', 40),
  pdf('text', '摘要', 'Description', 56),
  csv('company'),
  pdf('company_name', '取引先', 'Company', 36),
  csv('department'),
  { name: 'tax_category', kind: 'text', title: { ja: '税区分', en: 'Tax' }, width: 16 },
  side('debit', '借方', 'Debit'),
  side('credit', '貸方', 'Credit'),
  { name: 'balance', kind: 'yen', title: { ja: '残高', en: 'Balance' }, width: 28 },
];

const words: Readonly<Record<Language, { brought: string; total: string }>> = {
  ja: { brought: '繰越', total: '合計' },
  en: { brought: 'Brought forward', total: 'Total' },
};

type Cells = Partial<Record<string, string | null>>;

const rowOf = (type: ReportRow['type'], cells: Cells): ReportRow => {
  return { type, cells: columns.map(({ name }) => cells[name] ?? null) };
};

async function* rows(
  reader: Reader,
  { lines, figures }: LedgerBegun,
  language: Language,
  fetch: FetchRows,
): AsyncGenerator<ReportRow, void, void> {
  const { brought_forward, debit, credit, closing } = figures;
  const { brought, total } = words[language];
  yield rowOf('subtotal', { row_type: 'brought_forward', text: brought, balance: String(brought_forward) });
  const { text, values } = allLines(reader, lines);
  let balance = brought_forward;
  for await (const batch of batchesOf(fetch<PrintedLine>(text, values))) {
    const journal_ids = batch.map(({ journal_id }) => journal_id);
    const counterOf = await counterAccountsOf(reader, journal_ids, language);
    for (const line of batch) {
      balance += BigInt(line.debit) - BigInt(line.credit);
      yield lineRow(line, counterOf(line.journal_id, line), balance);
    }
  }
  yield rowOf('total', {
    row_type: 'total',
    text: total,
    debit: String(debit),
    credit: String(credit),
    balance: String(closing),
  });
}

/** What is of kind `opening` is a part of what the range began with: no sum of the sides counts it. */
function lineRow(line: PrintedLine, counter: CounterAccount, balance: bigint): ReportRow {
  const { description, line_description, debit, credit, kind } = line;
  const said = [description, line_description].filter((each) => each !== null);
  return rowOf(kind === 'opening' ? 'subtotal' : 'line', {
    row_type: 'line',
    date: line.date,
    number: String(line.number),
    journal_id: line.journal_id,
    kind,
    description,
    counter_code: counter.code,
    counter_name: counter.name,
    counter_account: counter.code === null ? counter.name : `${counter.code} ${counter.name}`,
    text: said.length > 0 ? said.join(' ') : null,
    company: line.company_label,
    company_name: line.company,
    department: line.department_id,
    tax_category: line.tax_category,
    debit: String(debit),
    credit: String(credit),
    balance: String(balance),
  });
}

async function* batchesOf<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row[], void, void> {
  let batch: Row[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** 総勘定元帳: every line of an account with the balance behind it. */
export const generalLedgerReport: Report = {
  name: 'accounting.general_ledger',
  scope: 'accounting:read',
  title: { ja: '総勘定元帳', en: 'General ledger' },
  csv_has_sums: true,
  columns: () => columns,
  head: reportHead,
  async state(reader, asked) {
    const lines = await bookLinesOf(reader, asked);
    const { revision } = await paperState(reader, asked, [await companiesChangedAt(reader)]);
    return { revision, lines: await countLedger(reader, lines) };
  },
  async *rows(reader, asked, language, fetch) {
    const lines = await bookLinesOf(reader, asked);
    yield* rows(reader, await beginLedger(reader, asked, language, lines), language, fetch);
  },
};
