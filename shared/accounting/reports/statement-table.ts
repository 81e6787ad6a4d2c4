import type { ReportColumn, ReportRow } from '../../platform/reports/report.ts';
import type { StatementColumn, StatementLine } from './statement-lines.ts';

/** What a statement has columns of figures for, beside the amount. */
export type StatementFigures = { has_previous: boolean; columns: readonly StatementColumn[] };

function csv(name: string): ReportColumn {
  return { name, kind: 'text', title: { ja: name, en: name }, width: 0, formats: ['csv'] };
}

/** The columns of a statement's files: the amount, and a year earlier or the months or departments. */
export function statementColumns({ has_previous, columns }: StatementFigures): ReportColumn[] {
  // Twelve months and their sum fill a page across.
  const isWide = columns.length > 2;
  const yen = (name: string, title: ReportColumn['title']): ReportColumn => {
    return { name, kind: 'yen', title, width: isWide ? 22 : 38 };
  };
  return [
    csv('key'),
    csv('line_type'),
    csv('level'),
    { name: 'code', kind: 'text', title: { ja: 'コード', en: 'Code' }, width: 18 },
    csv('name'),
    {
      name: 'shown_name',
      kind: 'text',
      title: { ja: '科目', en: 'Account' },
      width: isWide ? 52 : 76,
      formats: ['pdf'],
    },
    yen('amount', columns.length > 0 ? { ja: '合計', en: 'Total' } : { ja: '金額', en: 'Amount' }),
    ...columns.map(({ key, name }) => yen(key, { ja: name, en: name })),
    ...(has_previous ? [yen('previous', { ja: '前年', en: 'A year earlier' })] : []),
  ];
}

/** The rows of a statement. In print the names are set in by their level. */
export async function* statementRows(
  lines: readonly StatementLine[],
  { has_previous }: StatementFigures,
): AsyncGenerator<ReportRow, void, void> {
  for (const { key, line_type, level, code, name, amount, previous, amounts } of lines) {
    const figures = [amount, ...amounts, ...(has_previous ? [previous] : [])];
    yield {
      type: rowTypes[line_type],
      cells: [
        key,
        line_type,
        String(level),
        code,
        name,
        `${INDENT.repeat(Math.max(level - 1, 0))}${name}`,
        ...figures.map((figure) => (figure === null ? null : String(figure))),
      ],
    };
  }
}

const rowTypes = { account: 'line', section: 'subtotal', total: 'total' } as const;

/** A space as wide as a letter, which HTML does not collapse. */
const INDENT = '\u3000';
