import type { ReportColumn, ReportRow } from '../../shared/platform/reports/report.ts';
import { sumsOf } from '../../shared/platform/reports/sums.ts';
import type { Sheet } from '../../workers/pdf/report/sheet.ts';
import { readPdf } from './rendering.ts';

const columns: readonly ReportColumn[] = [
  { name: 'name', kind: 'text', title: { ja: '取引先', en: 'Company' }, width: 60 },
  { name: 'due', kind: 'day', title: { ja: '期日', en: 'Due' }, width: 24 },
  { name: 'debit', kind: 'yen', title: { ja: '借方', en: 'Debit' }, width: 32, is_summed: true },
  { name: 'rate', kind: 'percent', title: { ja: '率', en: 'Rate' }, width: 18 },
  { name: 'amount', kind: 'decimal', title: { ja: '金額', en: 'Amount' }, width: 40, is_summed: true },
];

/** A sheet of so many lines, each with a number of its own in its first cell, in groups of a hundred with subtotals. */
export function sheetOf(language: Sheet['language'], lines: number): Sheet {
  const rows: ReportRow[] = [];
  const all = sumsOf(columns);
  let group = sumsOf(columns);
  for (let number = 1; number <= lines; number += 1) {
    if (number % 100 === 1) {
      rows.push({ type: 'heading', cells: [`Group ${Math.ceil(number / 100)}`, null, null, null, null] });
    }
    const row = lineOf(number);
    rows.push(row);
    all.add(row);
    group.add(row);
    if (number % 100 === 0 || number === lines) {
      rows.push({ type: 'subtotal', cells: ['Subtotal', ...group.cells().slice(1)] });
      group = sumsOf(columns);
    }
  }
  if (lines > 0) rows.push({ type: 'total', cells: ['Total', ...all.cells().slice(1)] });
  return {
    language,
    title: 'Ledger',
    head: {
      organization: '株式会社珈琲商会',
      facts: [{ label: 'Period', value: '2026' }],
      time_zone: 'Asia/Tokyo',
    },
    made_at: '2026-06-15 05:00',
    columns,
    rows,
  };
}

function lineOf(number: number): ReportRow {
  const long =
    number % 7 === 0 ? ' with a name so long that it has to go on in a second line, and then some' : '';
  const yen = ((number * 7919) % 3_000_017) - (number % 13 === 0 ? 4_000_000 : 0);
  const cents = String((number * 31) % 10_000).padStart(4, '0');
  const amount = `${number % 5 === 0 ? '-' : ''}${(number * 17) % 1_000}.${cents.slice(0, 2)}`;
  return { type: 'line', cells: [`No.${number}${long}`, '2026-04-30', String(yen), '10', amount] };
}

/** The pages of a report's PDF as lines of cells, as pdftotext lays them out. */
export function reportPages(pdf: Uint8Array): string[][][] {
  return readPdf(pdf)
    .layout()
    .map((page) => page.split('\n').map((line) => line.trim().split(/\s{2,}/)));
}
