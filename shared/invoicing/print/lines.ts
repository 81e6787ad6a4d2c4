import type { DocumentLine } from '../documents/line.ts';
import type { TaxDisplayMode } from '../tax/breakdown.ts';
import { decimal, plainYen } from './formats.ts';
import type { PrintColumns, PrintLine, PrintLocale } from './model.ts';
import type { Words } from './words.ts';

/** What a page shows of a line. */
export type PrintedLine = Omit<DocumentLine, 'id' | 'withholding' | 'source_line_id' | 'source_document_id'>;

type Showing = { said: Words; locale: PrintLocale; show_prices: boolean };

/** The heads of the table; what a page without prices leaves out has its head all the same. */
export function printColumns(mode: TaxDisplayMode, { columns }: Words): PrintColumns {
  return { ...columns, amount: columns.amount[mode] };
}

/** The rows of the table, with the sum up to every one. */
export function printLines(lines: readonly PrintedLine[], showing: Showing): PrintLine[] {
  let position = 0;
  let running = 0n;
  return lines.map((line) => {
    if (line.type === 'item') position += 1;
    running += line.amount ?? 0n;
    return printLine(line, line.type === 'item' ? String(position) : '', running, showing);
  });
}

function printLine(
  line: PrintedLine,
  position: string,
  running: bigint,
  { said, locale, show_prices }: Showing,
): PrintLine {
  const { type, description, tax_category, tax_rate, amount } = line;
  const priced = (shown: string) => (show_prices ? shown : '');
  const decimals = (text: string | null) => (text === null ? '' : decimal(text, locale));
  return {
    type,
    position,
    description,
    item_code: line.item_code ?? '',
    mark: tax_category === 'reduced' ? said.mark : '',
    quantity: decimals(line.quantity),
    unit: line.unit ?? '',
    unit_price: priced(decimals(line.unit_price)),
    rate: priced(tax_category === null ? '' : said.rate(tax_category, tax_rate ?? 0)),
    amount: priced(amount === null ? '' : plainYen(amount, locale)),
    running: priced(plainYen(running, locale)),
  };
}
