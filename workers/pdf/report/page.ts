import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { html } from 'ghtml';
import { type Sums, sumsOf } from '../../../shared/platform/reports/sums.ts';
import { FONT_FAMILIES } from '../families.ts';
import { inCommonLetters } from '../letters.ts';
import { MARGIN, pageBoxes } from '../paper/style.ts';
import { paperOfSheet, type Sheet, words } from './sheet.ts';
import { rowOf, type SheetColumn, sheetColumns } from './table.ts';

const sheet = readFileSync(resolve(import.meta.dirname, 'report.css'), 'utf8');

/** The height of a row with carried sums, in the pixels of CSS; the style has it as 7 mm. */
export const CARRIED_HEIGHT = (7 / 25.4) * 96;

/** What a page of a sheet holds from top to bottom, in the pixels of CSS. */
export function pageHeight(shown: Pick<Sheet, 'columns'>): number {
  return ((paperOfSheet(shown).height - MARGIN.top - MARGIN.bottom) / 25.4) * 96;
}

/**
 * The pages of a report as HTML that loads nothing; every text of it is escaped. `first_rows` are the rows that begin a
 * page, but the first page's: a page that ends amid the rows ends with the sums so far, and the next one begins with them.
 */
export function sheetPage(shown: Sheet, first_rows: readonly number[]): string {
  const { language, title, rows } = shown;
  const body = rows.length === 0 ? html`<p class="none">${words[language].none}</p>` : '';
  return inCommonLetters(html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${title}</title><style>!${styleOf(shown)}</style></head>
<body><main>!${above(shown)}!${body}!${tables(shown, first_rows)}</main></body></html>`);
}

function styleOf(shown: Sheet): string {
  const { is_across, width } = paperOfSheet(shown);
  const margins = `${MARGIN.top}mm ${MARGIN.right}mm ${MARGIN.bottom}mm ${MARGIN.left}mm`;
  const running_head = `${shown.head.organization}  ${shown.title}`;
  return `@page { size: A4 ${is_across ? 'landscape' : 'portrait'}; margin: ${margins} }
body { width: ${width}mm; font-family: ${FONT_FAMILIES} }
${sheet}
${pageBoxes({ running_head, page_of: words[shown.language].page_of })}`;
}

function above({ language, title, head: { organization, facts }, made_at }: Sheet): string {
  const said = [...facts, { label: words[language].made_at, value: made_at }].map(
    ({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  );
  return html`<header><div><h1>${title}</h1><p>${organization}</p></div><dl class="facts">!${said}</dl></header>`;
}

/** A table a page, so that the layout of one does not wait for that of the others. */
function tables(shown: Sheet, first_rows: readonly number[]): string {
  const { rows, columns: described, language } = shown;
  const columns = sheetColumns(shown);
  const carried = carriedRows(columns, sumsOf(described), language);
  const [cols, heads] = [columns.map(({ col }) => col).join(''), columns.map(({ head }) => head).join('')];
  return [0, ...first_rows]
    .map((from, page) => {
      const to = first_rows[page] ?? rows.length;
      const brought = page > 0 ? carried.row('brought') : '';
      const lines = rows.slice(from, to).map((row) => {
        carried.sums.add(row);
        return rowOf(row, columns);
      });
      const forward = to < rows.length ? carried.row('forward') : '';
      return html`<table class="!${page > 0 ? 'lines turn' : 'lines'}"><colgroup>!${cols}</colgroup>
<thead><tr>!${heads}</tr></thead><tbody>!${brought}!${lines}!${forward}</tbody></table>`;
    })
    .join('');
}

function carriedRows(columns: readonly SheetColumn[], sums: Sums, language: Sheet['language']) {
  const first = columns.findIndex(({ is_summed }) => is_summed);
  return {
    sums,
    row(name: 'forward' | 'brought'): string {
      if (first < 0) return '';
      const cells = sums.cells();
      const shown = columns.slice(first).map((column, place) => column.cell(cells[first + place] ?? null));
      const label = html`<th scope="row" class="end" colspan="${first}">${words[language][name]}</th>`;
      return html`<tr class="carried">!${first > 0 ? label : ''}!${shown}</tr>`;
    },
  };
}
