import { sumsOf } from '../../../shared/platform/reports/sums.ts';
import { withInfo } from '../info.ts';
import { joinPdfs } from '../join.ts';
import { MEASURE } from '../paper/lay-out.ts';
import { type Measures, pagesOf } from '../paper/pages.ts';
import { printPage } from '../print-page.ts';
import type { Renderer } from '../renderer.ts';
import { CARRIED_HEIGHT, pageHeight, sheetPages } from './page.ts';
import type { Sheet } from './sheet.ts';

/** Rows that are measured together, and pages that are printed together: Chromium's memory grows with them. */
const MEASURED = 1_500;
const PRINTED = 50;

/**
 * The PDF of a report. Rows are measured first, some at a time; then the pages are printed in parts and joined, so that
 * what Chromium holds does not grow with the report. Errors: those of `Renderer.render`.
 */
export async function renderReport(renderer: Renderer, sheet: Sheet, signal: AbortSignal): Promise<Buffer> {
  const first_rows = firstRowsOf(sheet, await measuresOf(renderer, sheet, signal));
  const sums = sumsOf(sheet.columns);
  const parts: Buffer[] = [];
  for (let from = 0; from < first_rows.length; from += PRINTED) {
    const to = Math.min(from + PRINTED, first_rows.length) - 1;
    const html = sheetPages(sheet, first_rows, { from, to }, sums);
    const print = renderer.render(async (page) => {
      await page.setContent(html);
      return printPage(page, false);
    }, signal);
    parts.push(await print);
  }
  return withInfo(joinPdfs(parts), { title: sheet.title, author: sheet.head.organization });
}

/** The measures of a report on a single endless page. */
async function measuresOf(renderer: Renderer, sheet: Sheet, signal: AbortSignal): Promise<Measures> {
  let measures: Measures = { whole: 0, above: 0, head: 0, rows: [], below: 0 };
  for (let from = 0; from < sheet.rows.length; from += MEASURED) {
    const rows = sheet.rows.slice(from, from + MEASURED);
    const html = sheetPages({ ...sheet, rows }, [0], { from: 0, to: 0 }, sumsOf(sheet.columns));
    const found = await renderer.render(async (page) => {
      await page.setContent(html);
      return (await page.evaluate(MEASURE)) as Measures;
    }, signal);
    measures = {
      ...found,
      whole: measures.whole + found.whole,
      rows: measures.rows.concat(found.rows),
    };
  }
  return measures;
}

/** The rows that begin the pages. A heading stays with the row behind it. */
function firstRowsOf(sheet: Sheet, measures: Measures): number[] {
  const carried = sheet.columns.some(({ is_summed }) => is_summed) ? CARRIED_HEIGHT : 0;
  const rows = sheet.rows.map(({ type }) => ({ type: type === 'heading' ? 'text' : 'item' }) as const);
  const pages = pagesOf(measures, rows, { height: pageHeight(sheet), carried });
  return [0, ...(pages?.first_rows ?? [])];
}
