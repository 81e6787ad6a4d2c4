import type { Language } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { AskedReport, Report } from '../../platform/reports/report.ts';
import { dayBefore } from '../years/days.ts';
import { type CashFlowStatement, cashFlowStatement } from './cash-flow.ts';
import { paperState, reportHead } from './paper.ts';
import { reportAccounts } from './read-accounts.ts';
import { readFigures } from './read-figures.ts';
import { type StatementLine, totalLine } from './statement-lines.ts';
import { statementColumns, statementRows } from './statement-table.ts';

/** The statement of cash flows that is asked for, with the revision of the books that it is of. */
export async function readCashFlow(
  reader: Reader,
  { from = '', to = '' }: AskedReport,
  lang: Language,
): Promise<CashFlowStatement & { books_revision: number }> {
  const [{ spans, books_revision }, accounts] = await Promise.all([
    readFigures(reader, {
      spans: { earlier: { from: null, to: dayBefore(from) }, range: { from, to } },
    }),
    reportAccounts(reader),
  ]);
  const made = cashFlowStatement({ accounts, spans: { ...spans, before: new Map() }, lang });
  return { books_revision, ...made };
}

/** What the printed statement ends with. */
const cash = {
  change: { ja: '現金及び現金同等物の増減額', en: 'change of cash' },
  opening_cash: { ja: '現金及び現金同等物の期首残高', en: 'opening cash' },
  closing_cash: { ja: '現金及び現金同等物の期末残高', en: 'closing cash' },
} as const;

function cashLines(made: CashFlowStatement, language: Language): StatementLine[] {
  return (['change', 'opening_cash', 'closing_cash'] as const).map((key) =>
    totalLine(key, cash[key][language], { amount: made[key], previous: null, amounts: [] }),
  );
}

const figures = { has_previous: false, columns: [] };

/** キャッシュ・フロー計算書, by the indirect method. */
export const cashFlowReport: Report = {
  name: 'accounting.cash_flow_statement',
  scope: 'accounting:read',
  title: { ja: 'キャッシュ・フロー計算書', en: 'Statement of cash flows' },
  csv_has_sums: true,
  columns: () => statementColumns(figures),
  head: reportHead,
  async state(reader, asked) {
    const { revision, accounts } = await paperState(reader, asked);
    return { revision, lines: accounts };
  },
  async *rows(reader, asked, language) {
    const made = await readCashFlow(reader, asked, language);
    for await (const row of statementRows([...made.lines, ...cashLines(made, language)], figures)) {
      // A section of this statement has no accounts below it.
      yield row.type === 'subtotal' ? { ...row, type: 'line' } : row;
    }
  },
};
