import { withInfo } from '../info.ts';
import { type LayingPage, MEASURE } from '../paper/lay-out.ts';
import { type Measures, pagesOf } from '../paper/pages.ts';
import { printPage } from '../print-page.ts';
import type { Renderer } from '../renderer.ts';
import { CARRIED_HEIGHT, pageHeight, sheetPage } from './page.ts';
import type { Sheet } from './sheet.ts';

/** The PDF of a report. Errors: those of `Renderer.render`. */
export async function renderReport(renderer: Renderer, sheet: Sheet, signal: AbortSignal): Promise<Buffer> {
  const pdf = await renderer.render(async (page) => {
    await layOutReport(page, sheet);
    return printPage(page, false);
  }, signal);
  return withInfo(pdf, { title: sheet.title, author: sheet.head.organization });
}

/** Puts a report on a browser's page: once to measure its rows, and where they need several pages with its breaks. */
export async function layOutReport(page: LayingPage, sheet: Sheet): Promise<void> {
  await page.setContent(sheetPage(sheet, []));
  if (sheet.rows.length === 0) return;
  const measures = (await page.evaluate(MEASURE)) as Measures;
  const carried = sheet.columns.some(({ is_summed }) => is_summed) ? CARRIED_HEIGHT : 0;
  const rows = sheet.rows.map(({ type }) => ({ type: type === 'heading' ? 'text' : 'item' }) as const);
  const pages = pagesOf(measures, rows, { height: pageHeight(sheet), carried });
  if (pages) await page.setContent(sheetPage(sheet, pages.first_rows));
}
