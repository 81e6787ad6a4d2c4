import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Print } from '../../../shared/invoicing/print/model.ts';
import { FONT_FAMILIES } from '../families.ts';
import { inCommonLetters } from '../letters.ts';

/**
 * The margins of the page in millimetres; a head and a page number stand in the upper and the lower one. The body is as
 * wide as a right margin of 18 would make it: Chromium cuts at a whole pixel, and would take half of a border there.
 */
const MARGIN = { top: 15, right: 17.5, bottom: 17, left: 18 };

/** What a page holds from top to bottom, in the pixels of CSS (96 an inch). */
export const PAGE_HEIGHT = ((297 - MARGIN.top - MARGIN.bottom) / 25.4) * 96;

const sheet = ['page', 'table']
  .map((part) => readFileSync(resolve(import.meta.dirname, `${part}.css`), 'utf8'))
  .join('');

const onePage = `@page { size: A4; margin: ${MARGIN.top}mm ${MARGIN.right}mm ${MARGIN.bottom}mm ${MARGIN.left}mm }
body { font-family: ${FONT_FAMILIES} }
${sheet}`;

/** Where the first page begins if its address is seen through a window; this page holds a little more than others. */
const WINDOW_TOP = 11;

/** The style of a document; one of several pages has a head on every page but the first, and numbers its pages. */
export function styleOf(print: Print, has_several_pages: boolean): string {
  const first = print.window_envelope === 'none' ? '' : `@page :first { margin-top: ${WINDOW_TOP}mm }`;
  return `${onePage}\n${first}\n${has_several_pages ? pageBoxes(print) : ''}`;
}

function pageBoxes({ running_head, page_of }: Print): string {
  const font = `font: 8pt/11pt ${FONT_FAMILIES}; color: #556070`;
  return `@page {
    @top-left { content: ${cssString(running_head)}; ${font}; vertical-align: bottom; padding-bottom: 4mm }
    @bottom-center { content: counter(page) ${cssString(page_of)} counter(pages); ${font}; vertical-align: top; padding-top: 5mm }
  }
  @page :first { @top-left { content: none } }`;
}

/** A text as CSS can hold it inside of a style element: every letter that could end either stands as its number. */
function cssString(text: string): string {
  const safe = inCommonLetters(text).replace(
    /[^\p{L}\p{N} ]/gu,
    (letter) => `\\${letter.codePointAt(0)!.toString(16)} `,
  );
  return `"${safe}"`;
}
