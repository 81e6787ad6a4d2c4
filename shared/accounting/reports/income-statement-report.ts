import type { Language } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { AskedReport, Report } from '../../platform/reports/report.ts';
import { lineFilterOf, NONE } from './asked.ts';
import { groupsOf, noneNamed } from './groups.ts';
import { type IncomeStatement, incomeStatement } from './income-statement.ts';
import { paperState, reportHead } from './paper.ts';
import { reportAccounts } from './read-accounts.ts';
import { readFigures } from './read-figures.ts';
import { type DaySpan, monthsOf } from './segments.ts';
import { statementColumns, statementRows } from './statement-table.ts';

/** The income statement that is asked for, with the revision of the books that it is of. */
export async function readIncomeStatement(
  reader: Reader,
  asked: AskedReport,
  lang: Language,
): Promise<IncomeStatement & { books_revision: number }> {
  const { from = '', to = '', group_by, previous_from, previous_to } = asked;
  const months = monthsIn(asked);
  const spans: Record<string, DaySpan> = { range: { from, to } };
  for (const { key, ...days } of months) spans[key] = days;
  if (previous_from && previous_to) spans['previous'] = { from: previous_from, to: previous_to };
  const part = group_by === 'department' ? group_by : undefined;
  const filter = await lineFilterOf(reader, asked);
  const [found, accounts] = await Promise.all([
    readFigures(reader, { spans, part, filter }),
    reportAccounts(reader),
  ]);
  const groups = part ? await groupsOf(reader, part, found, lang) : [];
  const made = incomeStatement({
    accounts,
    range: found.spans['range']!,
    columns: part
      ? departmentColumns(lang).map(({ key, name }) => {
          const group = groups.find(({ id }) => (id ?? NONE) === key);
          return { key, name, range: group?.spans['range'] ?? new Map() };
        })
      : months.map(({ key }) => ({ key, name: key, range: found.spans[key]! })),
    previous: found.spans['previous'] ?? null,
    lang,
  });
  return { books_revision: found.books_revision, ...made };
}

/** The departments of the columns. Departments come with attendance: until then no line names one. */
function departmentColumns(lang: Language) {
  return [{ key: NONE, name: noneNamed.department[lang] }];
}

function monthsIn({ interval, from = '', to = '' }: AskedReport) {
  return interval === 'month' ? monthsOf({ from, to }) : [];
}

function figuresOf(asked: AskedReport, lang: Language) {
  const columns =
    asked['group_by'] === 'department'
      ? departmentColumns(lang)
      : monthsIn(asked).map(({ key }) => ({ key, name: key }));
  return { has_previous: asked['compare'] === 'previous_year', columns };
}

/** 損益計算書: what was earned in some days, from sales to the net income. */
export const incomeStatementReport: Report = {
  name: 'accounting.income_statement',
  scope: 'accounting:read',
  title: { ja: '損益計算書', en: 'Income statement' },
  csv_has_sums: true,
  columns: (asked) => statementColumns(figuresOf(asked, 'ja')),
  head: reportHead,
  async state(reader, asked) {
    const { revision, accounts } = await paperState(reader, asked);
    return { revision, lines: accounts };
  },
  async *rows(reader, asked, language) {
    const { lines } = await readIncomeStatement(reader, asked, language);
    yield* statementRows(lines, figuresOf(asked, language));
  },
};
