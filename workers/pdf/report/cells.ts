import type { ReportColumnKind, ReportLanguage } from '../../../shared/platform/reports/report.ts';

/** △ is what Japanese books set before a negative amount. */
const MINUS: Record<ReportLanguage, string> = { ja: '△', en: '-' };

const texts: Record<ReportColumnKind, (cell: string, language: ReportLanguage) => string> = {
  text: (cell) => cell,
  day: (cell, language) => (language === 'ja' ? cell.replaceAll('-', '/') : cell),
  yen: grouped,
  decimal: grouped,
  percent: (cell, language) => `${grouped(cell, language)}%`,
};

/** A cell as a PDF shows it; an empty one is empty. */
export function cellText(cell: string | null, kind: ReportColumnKind, language: ReportLanguage): string {
  return cell === null ? '' : texts[kind](cell, language);
}

/** Whether the cells of a column stand at its end, so that their digits stand below each other. */
export function isNumber(kind: ReportColumnKind): boolean {
  return kind !== 'text' && kind !== 'day';
}

/** An exact decimal with separators of thousands; all its decimals stay. */
function grouped(cell: string, language: ReportLanguage): string {
  const [, minus, whole = '', fraction = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(cell) ?? [];
  if (whole === '') throw new Error(`${cell} is no decimal`);
  return `${minus ? MINUS[language] : ''}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${fraction}`;
}
