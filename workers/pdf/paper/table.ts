import { html } from 'ghtml';
import type { Print, PrintLine } from '../../../shared/invoicing/print/model.ts';
import { type Column, columnsOf } from './columns.ts';
import type { Pages } from './pages.ts';

/** The height of a row with a carried sum, in the pixels of CSS; the style has it as 8 mm. */
export const CARRIED_HEIGHT = (8 / 25.4) * 96;

/**
 * The table of lines, one body a page: a page that ends amid the lines has the sum up to there at its end, and the
 * next one begins with it.
 */
export function linesTable(print: Print, pages: Pages | null): string {
  const { columns, is_compact } = columnsOf(print);
  const widths = columns.map(({ width }) => html`<col style="width:${width.toFixed(2)}mm">`);
  const heads = columns.map(
    ({ name, align }) => html`<th scope="col" class="${align}">${print.columns[name]}</th>`,
  );
  const classes = ['lines', is_compact && 'compact', pages?.table_on_new_page && 'new-page'].filter(Boolean);
  return html`<table class="!${classes.join(' ')}"><colgroup>!${widths}</colgroup>
    <thead><tr>!${heads}</tr></thead>!${bodies(print, columns, pages)}</table>`;
}

function bodies(print: Print, columns: readonly Column[], pages: Pages | null): string {
  const { lines, show_prices, carried } = print;
  const { first_rows = [], first_row_is_cut = false } = pages ?? {};
  return [0, ...first_rows]
    .map((from, page) => {
      const to = first_rows[page] ?? lines.length;
      const rows = lines.slice(from, to).map((line, place) => {
        return row(line, columns, first_row_is_cut && from + place === 0 ? 'cut line' : 'line');
      });
      const sum = (label: string, up_to: number) =>
        show_prices ? carriedRow(label, lines[up_to - 1]!.running, columns.length) : '';
      return html`<tbody!${page > 0 ? ' class="turn"' : ''}>!${page > 0 ? sum(carried.brought, from) : ''}!${rows}!${
        to < lines.length ? sum(carried.forward, to) : ''
      }</tbody>`;
    })
    .join('');
}

function carriedRow(label: string, amount: string, columns: number): string {
  return html`<tr class="carried"><th scope="row" class="end" colspan="${columns - 1}">${label}</th><td class="end">${amount}</td></tr>`;
}

function row(line: PrintLine, columns: readonly Column[], classes: string): string {
  if (line.type === 'text') {
    return html`<tr class="text !${classes}"><td></td><td class="description" colspan="${columns.length - 1}">${line.description}</td></tr>`;
  }
  const cells = columns.map(({ name, align }) =>
    name === 'description' ? description(line) : html`<td class="${align}">${line[name]}</td>`,
  );
  return html`<tr class="!${classes}">!${cells}</tr>`;
}

function description({ description, mark, item_code }: PrintLine): string {
  const code = item_code && html`<span class="code">${item_code}</span>`;
  const marked = mark && html` <span class="mark">${mark}</span>`;
  return html`<td class="description">${description}!${marked}!${code}</td>`;
}
