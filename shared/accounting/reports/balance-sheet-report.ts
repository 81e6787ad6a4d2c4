import type { Language } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { AskedReport, Report } from '../../platform/reports/report.ts';
import { dayBefore } from '../years/days.ts';
import { type BalanceSheet, balanceSheet } from './balance-sheet.ts';
import { type FiguresByAccount, withoutClosing } from './figures.ts';
import { paperState, reportHead } from './paper.ts';
import { reportAccounts } from './read-accounts.ts';
import { readFigures } from './read-figures.ts';
import { type DaySpan, monthsOf } from './segments.ts';
import { statementColumns, statementRows } from './statement-table.ts';

/** The balance sheet that is asked for, with the revision of the books that it is of. */
export async function readBalanceSheet(
  reader: Reader,
  asked: AskedReport,
  lang: Language,
): Promise<BalanceSheet & { books_revision: number }> {
  const { year_start = '', as_of = '', previous_start, previous_as_of, closing_entries } = asked;
  const months = monthsIn(asked);
  const spans: Record<string, DaySpan> = {
    earlier: { from: null, to: dayBefore(year_start) },
    year: { from: year_start, to: as_of },
  };
  for (const { key, ...days } of months) spans[key] = days;
  if (previous_start && previous_as_of) {
    spans['previous_earlier'] = { from: null, to: dayBefore(previous_start) };
    spans['previous_year'] = { from: previous_start, to: previous_as_of };
  }
  const [found, accounts] = await Promise.all([readFigures(reader, { spans }), reportAccounts(reader)]);
  const counted = (name: string): FiguresByAccount => {
    const figures = found.spans[name]!;
    return closing_entries === 'include' ? figures : withoutClosing(figures);
  };
  const made = balanceSheet({
    accounts,
    earlier: found.spans['earlier']!,
    year: counted('year'),
    columns: months.map(({ key }) => ({ key, name: key, range: counted(key) })),
    previous: previous_start
      ? { earlier: found.spans['previous_earlier']!, year: counted('previous_year') }
      : null,
    lang,
  });
  return { books_revision: found.books_revision, ...made };
}

function monthsIn({ interval, year_start = '', as_of = '' }: AskedReport) {
  return interval === 'month' ? monthsOf({ from: year_start, to: as_of }) : [];
}

function figuresOf(asked: AskedReport) {
  const columns = monthsIn(asked).map(({ key }) => ({ key, name: key }));
  return { has_previous: asked['compare'] === 'previous_year', columns };
}

/** 貸借対照表: what the organization has and owes on a day. */
export const balanceSheetReport: Report = {
  name: 'accounting.balance_sheet',
  scope: 'accounting:read',
  title: { ja: '貸借対照表', en: 'Balance sheet' },
  csv_has_sums: true,
  columns: (asked) => statementColumns(figuresOf(asked)),
  head: reportHead,
  async state(reader, asked) {
    const { revision, accounts } = await paperState(reader, asked);
    return { revision, lines: accounts };
  },
  async *rows(reader, asked, language) {
    const { lines } = await readBalanceSheet(reader, asked, language);
    yield* statementRows(lines, figuresOf(asked));
  },
};
