import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { html } from 'ghtml';
import type { RecordSheet, SheetFact } from '../../shared/received/pdf/sheet.ts';
import { inCommonLetters } from '../pdf/letters.ts';
import { MARGIN, pageBoxes } from '../pdf/paper/style.ts';
import { printed } from '../pdf/printed.ts';

const style = readFileSync(resolve(import.meta.dirname, 'sheet.css'), 'utf8');

/** What the sheet is called, so that nobody takes it for the paper. */
export const SHEET_MARK = '控え / RECORD SHEET';

/** A record sheet as HTML that loads nothing; every text of it is escaped. */
export function sheetPage(sheet: RecordSheet): string {
  const { title, organization, facts, totals } = sheet;
  const heading = `${title.ja} / ${title.en}`;
  return inCommonLetters(html`<!doctype html>
<html lang="ja"><head><meta charset="utf-8"><title>${SHEET_MARK}</title><style>!${styleOf(heading)}</style></head>
<body><header><div><h1>${heading}</h1><p>${organization}</p></div><p class="mark">${SHEET_MARK}</p></header>
<dl class="facts">!${facts.map(factOf)}</dl>
!${linesOf(sheet)}<dl class="totals">!${totals.map(factOf)}</dl>!${filesOf(sheet)}</body></html>`);
}

function styleOf(heading: string): string {
  const margins = `${MARGIN.top}mm ${MARGIN.right}mm ${MARGIN.bottom}mm ${MARGIN.left}mm`;
  return `@page { size: A4; margin: ${margins} }
${printed}
${style}
${pageBoxes({ running_head: `${SHEET_MARK}  ${heading}`, page_of: ' / ' })}`;
}

function factOf({ label, value }: SheetFact): string {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}

function linesOf({ lines }: RecordSheet): string {
  if (lines.length === 0) return '';
  const rows = lines.map(
    ({ description, quantity, unit_price, rate, amount }) =>
      html`<tr><td>${description}</td><td class="end">${quantity}</td><td class="end">${unit_price}</td><td class="end">${rate}</td><td class="end">${amount}</td></tr>`,
  );
  return html`<table><colgroup><col><col style="width: 26mm"><col style="width: 28mm"><col style="width: 19mm"><col style="width: 30mm"></colgroup>
<thead><tr><th>品目 / Description</th><th class="end">数量 / Quantity</th><th class="end">単価 / Unit price</th><th class="end">税率 / Rate</th><th class="end">金額 / Amount</th></tr></thead>
<tbody>!${rows}</tbody></table>`;
}

function filesOf({ files }: RecordSheet): string {
  if (files.length === 0) return '';
  const rows = files.map(
    ({ name, detail, sha256 }) =>
      html`<li><p class="name">${name}</p><p class="detail">${detail}</p><p class="hash">SHA-256 ${sha256}</p></li>`,
  );
  return html`<section><h2>ファイル / Files</h2><ul>!${rows}</ul></section>`;
}
