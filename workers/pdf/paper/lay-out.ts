import type { Print } from '../../../shared/invoicing/print/model.ts';
import type { PaperImages } from './images.ts';
import { type Measures, pagesOf } from './pages.ts';
import { paperOf } from './paper.ts';
import { PAGE_HEIGHT } from './style.ts';
import { CARRIED_HEIGHT } from './table.ts';

/** What of a browser's page lays a document out. */
export type LayingPage = {
  setContent(html: string): Promise<void>;
  evaluate(expression: string): Promise<unknown>;
};

/** How a laid-out page becomes a PDF: the size is the style's, and the structure is tagged for those who listen. */
export const PAPER_OPTIONS = {
  preferCSSPageSize: true,
  printBackground: true,
  tagged: true,
  waitForFonts: false,
} as const;

/** Measures the table of a page and what stands around it; answers `Measures`. */
export const MEASURE = `(() => {
  const height = (element) => element?.getBoundingClientRect().height ?? 0;
  const table = document.querySelector('.lines').getBoundingClientRect();
  const sums = document.querySelector('.sums')?.getBoundingClientRect();
  return {
    whole: height(document.body),
    above: table.top + scrollY,
    head: height(document.querySelector('.lines thead')),
    rows: Array.from(document.querySelectorAll('.lines .line'), height),
    below: sums ? sums.bottom - table.bottom : 0,
  };
})()`;

/**
 * Puts a document on a browser's page, ready to be printed. Whether it fits one page is measured; one that does not is
 * set again with its breaks, so that a single page does not pay for the many.
 */
export async function layOut(page: LayingPage, print: Print, images: PaperImages): Promise<void> {
  await page.setContent(paperOf(print, images));
  const measures = (await page.evaluate(MEASURE)) as Measures;
  const carried = print.show_prices ? CARRIED_HEIGHT : 0;
  const pages = pagesOf(measures, print.lines, { height: PAGE_HEIGHT, carried });
  if (pages) await page.setContent(paperOf(print, images, pages));
}
