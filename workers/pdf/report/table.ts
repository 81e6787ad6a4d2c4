import { html } from 'ghtml';
import type { ReportRow } from '../../../shared/platform/reports/report.ts';
import { textWidth } from '../paper/columns.ts';
import { cellText, isNumber } from './cells.ts';
import { paperOfSheet, type Sheet } from './sheet.ts';

/** A column as HTML. */
export type SheetColumn = {
  is_summed: boolean;
  col: string;
  head: string;
  cell: (cell: string | null) => string;
};

/** Points of the letters of the table, and those at which `textWidth` measures. */
const SIZE = 8;
const MEASURED = 9;

/** Millimetres that a cell has beside its text. */
const PADDING = 2.6;

/** The columns of a sheet; their widths fill the page. */
export function sheetColumns(sheet: Pick<Sheet, 'columns' | 'language'>): SheetColumn[] {
  const { scale } = paperOfSheet(sheet);
  return sheet.columns.map(({ kind, title, width, is_summed = false, is_blank_at_zero = false }) => {
    const room = width * scale;
    const align = isNumber(kind) ? 'end' : 'start';
    return {
      is_summed,
      col: html`<col style="width:${room.toFixed(2)}mm">`,
      head: html`<th scope="col" class="!${align}">${title[sheet.language]}</th>`,
      cell(cell) {
        const text = cellText(is_blank_at_zero && cell === '0' ? null : cell, kind, sheet.language);
        return html`<td class="!${align}"!${isNumber(kind) ? smaller(text, room - PADDING) : ''}>${text}</td>`;
      },
    };
  });
}

/** A row of the table, with its type as its class. */
export function rowOf({ type, cells }: ReportRow, columns: readonly SheetColumn[]): string {
  const shown = columns.map(({ cell }, place) => cell(cells[place] ?? null));
  return html`<tr class="line !${type}">!${shown}</tr>`;
}

/** A number is never broken: one that its column has no room for is set smaller. */
function smaller(text: string, room: number): string {
  const needed = (textWidth(text) * SIZE) / MEASURED;
  return needed <= room ? '' : ` style="font-size:${((SIZE * room) / needed).toFixed(2)}pt"`;
}
