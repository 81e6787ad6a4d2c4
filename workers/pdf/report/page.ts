import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { html } from 'ghtml';
import type { Sums } from '../../../shared/platform/reports/sums.ts';
import { inCommonLetters } from '../letters.ts';
import { MARGIN, type PartOfPages, pageBoxes } from '../paper/style.ts';
import { printed } from '../printed.ts';
import { paperOfSheet, type Sheet, words } from './sheet.ts';
import { rowOf, type SheetColumn, sheetColumns } from './table.ts';

const sheet = readFileSync(resolve(import.meta.dirname, 'report.css'), 'utf8');

/** The height of a row with carried sums, in the pixels of CSS; the style has it as 7 mm. */
export const CARRIED_HEIGHT = (7 / 25.4) * 96;

/** What a page of a sheet holds from top to bottom, in the pixels of CSS. */
export function pageHeight(shown: Pick<Sheet, 'columns'>): number {
  return ((paperOfSheet(shown).height - MARGIN.top - MARGIN.bottom) / 25.4) * 96;
}

/** Pages of a sheet that are printed together: the places of the first and the last among all. */
export type Part = { from: number; to: number };

/**
 * Some pages of a report as HTML that loads nothing; every text of it is escaped. `first_rows` are the rows that begin
 * the pages of the whole report. A page that ends amid the rows ends with the sums so far, and the next one begins with
 * them: `sums` holds those of the pages before, and those of these pages after.
 */
export function sheetPages(shown: Sheet, first_rows: readonly number[], part: Part, sums: Sums): string {
  const { language, title, rows } = shown;
  const isFirst = part.from === 0;
  const none = rows.length === 0 ? html`<p class="none">${words[language].none}</p>` : '';
  const style = styleOf(shown, { first: part.from + 1, all: first_rows.length });
  const tables = tablesOf(shown, first_rows, part, sums);
  return inCommonLetters(html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${title}</title><style>!${style}</style></head>
<body><main>!${isFirst ? above(shown) : ''}!${none}!${tables}</main></body></html>`);
}

function styleOf(shown: Sheet, numbers: PartOfPages): string {
  const { is_across, width } = paperOfSheet(shown);
  const margins = `${MARGIN.top}mm ${MARGIN.right}mm ${MARGIN.bottom}mm ${MARGIN.left}mm`;
  const running_head = `${shown.head.organization}  ${shown.title}`;
  return `@page { size: A4 ${is_across ? 'landscape' : 'portrait'}; margin: ${margins} }
${printed}
body { width: ${width}mm }
${sheet}
${pageBoxes({ running_head, page_of: words[shown.language].page_of }, numbers)}`;
}

function above({ language, title, head: { organization, facts }, made_at }: Sheet): string {
  const said = [...facts, { label: words[language].made_at, value: made_at }].map(
    ({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  );
  return html`<header><div><h1>${title}</h1><p>${organization}</p></div><dl class="facts">!${said}</dl></header>`;
}

/** A table a page: to lay one out does not take the others. */
function tablesOf(shown: Sheet, first_rows: readonly number[], { from, to }: Part, sums: Sums): string {
  const { rows, language } = shown;
  const columns = sheetColumns(shown);
  const [cols, heads] = [columns.map(({ col }) => col).join(''), columns.map(({ head }) => head).join('')];
  return first_rows
    .slice(from, to + 1)
    .map((first, place) => {
      const end = first_rows[from + place + 1] ?? rows.length;
      const brought = first > 0 ? carriedRow(columns, sums.cells(), words[language].brought) : '';
      const lines = rows.slice(first, end).map((row) => {
        sums.add(row);
        return rowOf(row, columns);
      });
      const forward = end < rows.length ? carriedRow(columns, sums.cells(), words[language].forward) : '';
      return html`<table class="!${place > 0 ? 'lines turn' : 'lines'}!${first > 0 ? ' next' : ''}"><colgroup>!${cols}</colgroup>
<thead><tr>!${heads}</tr></thead><tbody>!${brought}!${lines}!${forward}</tbody></table>`;
    })
    .join('');
}

function carriedRow(
  columns: readonly SheetColumn[],
  cells: readonly (string | null)[],
  label: string,
): string {
  const first = columns.findIndex(({ is_summed }) => is_summed);
  if (first < 0) return '';
  const shown = columns.slice(first).map((column, place) => column.cell(cells[first + place] ?? null));
  const head = html`<th scope="row" class="end" colspan="${first}">${label}</th>`;
  return html`<tr class="carried">!${first > 0 ? head : ''}!${shown}</tr>`;
}
