import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { html } from 'ghtml';
import type {
  Figure,
  Sheet,
  SheetDay,
  SheetLimits,
} from '../../../shared/attendance/exports/sheets/model.ts';
import { inCommonLetters } from '../../pdf/letters.ts';
import { printed } from '../../pdf/printed.ts';

const css = readFileSync(resolve(import.meta.dirname, 'sheet.css'), 'utf8');

/** Millimetres that the days of a page have together, and that one has at most. */
const ROOM = 160;
const ROW = 5.15;

/** What a row must have for a remark of two lines. */
const TWO_LINES = 4.4;

/** Some pages as HTML that loads nothing; every text of it is escaped. Each sheet takes one page, whatever it holds. */
export function sheetPages(sheets: readonly Sheet[]): string {
  const { language, title } = sheets[0]!;
  return inCommonLetters(html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${title}</title><style>!${printed}
!${css}</style></head><body>!${sheets.map(page)}</body></html>`);
}

function page(sheet: Sheet): string {
  const row = Math.min(ROW, ROOM / Math.max(1, sheet.days.length));
  const density = row < TWO_LINES ? 'dense' : '';
  return html`<section class="${density}" style="--row:${row.toFixed(3)}mm">!${above(sheet)}!${days(sheet)}<div class="below">!${sheet.groups.map(
    ({ title, figures }) => html`<div><h2>${title}</h2>!${figureList(figures)}</div>`,
  )}!${limitsBlock(sheet.limits)}</div><footer><span>${sheet.organization}</span><span>${sheet.legend}</span></footer></section>`;
}

function above({ title, month, facts, seals }: Sheet): string {
  const boxes = seals.map((name) => html`<div class="seal"><span>${name}</span></div>`);
  return html`<header><div class="who"><h1>${title}<span>${month}</span></h1><dl>!${facts.map(fact)}</dl></div><div class="seals">!${boxes}</div></header>`;
}

function fact({ label, value }: Figure): string {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}

function days({ heads, remark_head, days, sum_label, sums }: Sheet): string {
  const cols = heads.map((_, place) => html`<col class="c${place}">`);
  const head = [...heads, remark_head].map((text) => html`<th scope="col"><span>${text}</span></th>`);
  const summed = sums.slice(LABELS).map((text) => html`<td>${text}</td>`);
  return html`<table class="days"><colgroup>!${cols}<col></colgroup><thead><tr>!${head}</tr></thead><tbody>!${days.map(line)}</tbody>
<tfoot><tr><th scope="row" colspan="${LABELS}">${sum_label}</th>!${summed}<td></td></tr></tfoot></table>`;
}

/** Columns before the first figure: the day, its kind, and when work began and ended. */
const LABELS = 5;

function line({ day_type, cells, remark, is_marked }: SheetDay): string {
  const shown = cells.map((text) => html`<td>${text}</td>`);
  const mark = is_marked ? ' marked' : '';
  return html`<tr class="${day_type}${mark}">!${shown}<td class="remark"><div>${remark}</div></td></tr>`;
}

function figureList(figures: readonly Figure[]): string {
  return html`<dl class="figures">!${figures.map(fact)}</dl>`;
}

function limitsBlock({ title, figures, heads, tests }: SheetLimits): string {
  const head = heads.map((text) => html`<th scope="col">${text}</th>`);
  const rows = tests.map((cells) => html`<tr>!${cells.map((text) => html`<td>${text}</td>`)}</tr>`);
  const table =
    tests.length === 0
      ? ''
      : html`<table class="tests"><thead><tr>!${head}</tr></thead><tbody>!${rows}</tbody></table>`;
  return html`<div class="limits"><h2>${title}</h2><div class="sides">!${figureList(figures)}!${table}</div></div>`;
}
