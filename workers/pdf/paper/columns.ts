import type { Print, PrintLine } from '../../../shared/invoicing/print/model.ts';

/** The columns of the table, as they stand from left to right; `end` are numbers. */
const columns = [
  { name: 'position', align: 'middle', least: 8, most: 12 },
  { name: 'description', align: '', least: 0, most: 0 },
  { name: 'quantity', align: 'end', least: 15, most: 28 },
  { name: 'unit', align: 'middle', least: 11, most: 20 },
  { name: 'unit_price', align: 'end', least: 21, most: 40 },
  { name: 'rate', align: 'middle', least: 13, most: 21 },
  { name: 'amount', align: 'end', least: 26, most: 36 },
] as const;

export type Column = { name: (typeof columns)[number]['name']; align: string; width: number };

const PRICED: readonly string[] = ['unit_price', 'rate', 'amount'];

/** The width of the table, and what a cell has beside its text, in millimetres. */
const TABLE = 174;
const PADDING = 3.4;

/** Millimetres that the description has at least; where wide numbers leave less, the letters are smaller. */
const DESCRIPTION = 62;
const COMPACT = 8 / 9;

/** The columns of a document: their widths hold their numbers, and the description has the rest. */
export function columnsOf(print: Print): { columns: Column[]; is_compact: boolean } {
  const columns = filled(print, 1);
  const is_compact = columns.some(({ name, width }) => name === 'description' && width < DESCRIPTION);
  return { columns: is_compact ? filled(print, COMPACT) : columns, is_compact };
}

function filled({ lines, show_prices }: Print, scale: number): Column[] {
  const shown = columns
    .filter(({ name }) => show_prices || !PRICED.includes(name))
    .filter(({ name }) => name !== 'unit' || lines.some(({ unit }) => unit !== ''))
    .map(({ name, align, least, most }) => {
      if (name === 'description') return { name, align, width: 0 };
      return { name, align, width: Math.min(most, Math.max(least, scale * widest(lines, name) + PADDING)) };
    });
  const taken = shown.reduce((sum, { width }) => sum + width, 0);
  return shown.map((column) =>
    column.name === 'description' ? { ...column, width: TABLE - taken } : column,
  );
}

function widest(lines: readonly PrintLine[], name: Exclude<Column['name'], 'description'>): number {
  return lines.reduce((most, line) => {
    const width = textWidth(line[name]);
    return width > most ? width : most;
  }, 0);
}

/** An em at 9 points, in millimetres. */
const EM = (9 / 72) * 25.4;

/** The width of a text in Noto Sans JP at 9 points, never less than it is: digits 0.555 em, separators 0.28. */
export function textWidth(text: string): number {
  let ems = 0;
  for (const letter of text) {
    if (/[.,]/.test(letter)) ems += 0.28;
    else if (/[0-9-]/.test(letter)) ems += 0.56;
    else if (/[ -~]/.test(letter)) ems += 0.75;
    else ems += 1;
  }
  return ems * EM;
}
