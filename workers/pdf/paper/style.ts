import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Print } from '../../../shared/invoicing/print/model.ts';
import { cssString } from '../css-string.ts';
import { FONT_FAMILIES } from '../families.ts';
import { printed } from '../printed.ts';

/**
 * The margins of the page in millimetres; a head and a page number stand in the upper and the lower one. The body is as
 * wide as a right margin of 18 would make it: Chromium cuts at a whole pixel, and would take half of a border there.
 */
export const MARGIN = { top: 15, right: 17.5, bottom: 17, left: 18 };

/** What a page holds from top to bottom, in the pixels of CSS (96 an inch). */
export const PAGE_HEIGHT = ((297 - MARGIN.top - MARGIN.bottom) / 25.4) * 96;

const sheet = ['page', 'table']
  .map((part) => readFileSync(resolve(import.meta.dirname, `${part}.css`), 'utf8'))
  .join('');

const onePage = `@page { size: A4; margin: ${MARGIN.top}mm ${MARGIN.right}mm ${MARGIN.bottom}mm ${MARGIN.left}mm }
${printed}
${sheet}`;

/** Where the first page begins if its address is seen through a window; this page holds a little more than others. */
const WINDOW_TOP = 11;

/** The style of a document; one of several pages has a head on every page but the first, and numbers its pages. */
export function styleOf(print: Print, has_several_pages: boolean): string {
  const first = print.window_envelope === 'none' ? '' : `@page :first { margin-top: ${WINDOW_TOP}mm }`;
  return `${onePage}\n${first}\n${has_several_pages ? pageBoxes(print) : ''}`;
}

/** The pages of a file that is printed in parts: the number of a part's first page, and of all pages. */
export type PartOfPages = { first: number; all: number };

/** The head of every page but the first, and the number of each page beside the number of pages. */
export function pageBoxes(
  { running_head, page_of }: Pick<Print, 'running_head' | 'page_of'>,
  part: PartOfPages | null = null,
): string {
  const font = `font: 8pt/11pt ${FONT_FAMILIES}; color: #556070`;
  const all = part ? cssString(String(part.all)) : 'counter(pages)';
  return `@page {
    @top-left { content: ${cssString(running_head)}; ${font}; vertical-align: bottom; padding-bottom: 4mm }
    @bottom-center { content: counter(page) ${cssString(page_of)} ${all}; ${font}; vertical-align: top; padding-top: 5mm }
  }
  ${part && part.first > 1 ? `html { counter-reset: page ${part.first - 1} }` : '@page :first { @top-left { content: none } }'}`;
}
