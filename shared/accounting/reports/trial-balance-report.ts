import { companiesChangedAt } from '../../crm/companies/names.ts';
import type { Language } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { AskedReport, Report, ReportColumn, ReportRow } from '../../platform/reports/report.ts';
import { dayBefore } from '../years/days.ts';
import { lineFilterOf } from './asked.ts';
import { type Spans, withoutClosing } from './figures.ts';
import { type GroupBy, groupsOf } from './groups.ts';
import type { Four } from './measure.ts';
import { paperState, reportHead } from './paper.ts';
import { reportAccounts } from './read-accounts.ts';
import { readFigures } from './read-figures.ts';
import { type DaySpan, monthsOf } from './segments.ts';
import { type Adjusting, type TrialBalance, trialBalance } from './trial-balance.ts';

/** The trial balance that is asked for, with the revision of the books that it is of. */
export async function readTrialBalance(
  reader: Reader,
  asked: AskedReport,
  lang: Language,
): Promise<TrialBalance & { books_revision: number }> {
  const { from, to, year_start, group_by, interval, account_id } = asked as Record<string, string> &
    AskedReport;
  const months = interval === 'month' ? monthsOf({ from: from!, to: to! }) : [];
  const spans: Record<string, DaySpan> = {
    earlier: { from: null, to: dayBefore(year_start!) },
    range: { from: from!, to: to! },
  };
  if (from! > year_start!) spans['before'] = { from: year_start!, to: dayBefore(from!) };
  for (const { key, ...days } of months) spans[key] = days;
  const part = group_by as GroupBy | undefined;
  const filter = await lineFilterOf(reader, asked);
  const [found, accounts] = await Promise.all([
    readFigures(reader, { spans, part, filter }),
    reportAccounts(reader),
  ]);
  const groups = part && (await groupsOf(reader, part, found, lang));
  const counted =
    asked['closing_entries'] === 'include' ? (figures: Spans['range']) => figures : withoutClosing;
  const spansOf = (of: Readonly<Record<string, Spans['range']>>): Spans => ({
    earlier: of['earlier']!,
    before: of['before'] ?? new Map(),
    range: counted(of['range']!),
  });
  const made = trialBalance({
    accounts,
    spans: spansOf(found.spans),
    ...(groups && { groups: groups.map(({ id, name, spans }) => ({ id, name, spans: spansOf(spans) })) }),
    ...(interval && { months: months.map(({ key }) => ({ key, range: counted(found.spans[key]!) })) }),
    adjusting: asked['adjusting'] as Adjusting,
    include_zero: asked['include_zero'] === 'true',
    ...(account_id !== undefined && { account_id }),
    lang,
  });
  return { books_revision: found.books_revision, ...made };
}

const text = (name: string, formats: ReportColumn['formats']): ReportColumn => {
  return { name, kind: 'text', title: { ja: name, en: name }, width: 0, ...(formats && { formats }) };
};

const yen = (name: string, ja: string, en: string, width = 28): ReportColumn => {
  return { name, kind: 'yen', title: { ja, en }, width };
};

const opening = yen('opening', '期首・繰越残高', 'Opening');

function columns({ interval, from, to }: AskedReport): ReportColumn[] {
  const heads: ReportColumn[] = [
    text('row_type', ['csv']),
    text('account_type', ['csv']),
    text('section', ['csv']),
    { name: 'code', kind: 'text', title: { ja: 'コード', en: 'Code' }, width: 18 },
    { name: 'name', kind: 'text', title: { ja: '科目', en: 'Account' }, width: 44 },
  ];
  if (interval === 'month') {
    const months = monthsOf({ from: from!, to: to! });
    return [...heads, { ...opening, width: 22 }, ...months.map(({ key }) => yen(key, key, key, 22))];
  }
  return [
    ...heads,
    opening,
    yen('debit', '借方', 'Debit'),
    yen('credit', '貸方', 'Credit'),
    yen('closing', '残高', 'Closing'),
  ];
}

type Figured = Four & Pick<TrialBalance['totals'], 'months'>;

function figures({ months, opening, debit, credit, closing }: Figured): string[] {
  const shown = months
    ? [opening, ...months.map((month) => month.closing)]
    : [opening, debit, credit, closing];
  return shown.map(String);
}

/** Accounts by section, each section with its sum behind them, and the sum of all at the end. */
async function* rowsOf(
  { rows, sections, totals }: TrialBalance,
  { group_by }: AskedReport,
  language: Language,
): AsyncGenerator<ReportRow, void, void> {
  for (const section of [...sections, null]) {
    const within = rows.filter((row) => row.section === (section?.section ?? null));
    for (const { account_type, section: key, code, name, breakdown = [], ...row } of within) {
      const place = [account_type, key, code];
      yield { type: 'line', cells: ['account', ...place, name, ...figures(row)] };
      for (const part of breakdown) {
        yield { type: 'line', cells: [group_by!, ...place, `\u3000${part.name}`, ...figures(part)] };
      }
    }
    if (section && within.length > 0) {
      const { account_type, section: key, name } = section;
      yield { type: 'subtotal', cells: ['section', account_type, key, null, name, ...figures(section)] };
    }
  }
  const name = language === 'ja' ? '合計' : 'Total';
  yield { type: 'total', cells: ['total', null, null, null, name, ...figures(totals)] };
}

/** 合計残高試算表: what each account began with, moved and closed with. */
export const trialBalanceReport: Report = {
  name: 'accounting.trial_balance',
  scope: 'accounting:read',
  title: { ja: '合計残高試算表', en: 'Trial balance' },
  csv_has_sums: true,
  columns,
  head: reportHead,
  async state(reader, asked) {
    const more = asked['group_by'] === 'company' ? [await companiesChangedAt(reader)] : [];
    const { revision, accounts } = await paperState(reader, asked, more);
    return { revision, lines: accounts };
  },
  async *rows(reader, asked, language) {
    yield* rowsOf(await readTrialBalance(reader, asked, language), asked, language);
  },
};
