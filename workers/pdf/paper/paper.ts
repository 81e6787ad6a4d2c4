import { html } from 'ghtml';
import type { Print } from '../../../shared/invoicing/print/model.ts';
import { inCommonLetters } from '../letters.ts';
import type { PaperImages } from './images.ts';
import { letterhead } from './letterhead.ts';
import type { Pages } from './pages.ts';
import { styleOf } from './style.ts';
import { sumsBelow } from './sums.ts';
import { linesTable } from './table.ts';

/**
 * The page of a document as HTML that loads nothing; every text of it is escaped. `pages` says where the pages of a
 * document begin that needs several; null while that is not known, and for a single page.
 */
export function paperOf(print: Print, images: PaperImages, pages: Pages | null = null): string {
  const { locale, running_head, window_envelope, memo, draft_mark } = print;
  return inCommonLetters(html`<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><title>${running_head}</title>
<style>!${styleOf(print, pages !== null)}</style></head>
<body class="${locale} ${print.kind} ${window_envelope}">
!${draft_mark === null ? '' : html`<div class="draft-mark" aria-hidden="true"><span>${draft_mark}</span></div>`}
<main>!${letterhead(print, images)}!${linesTable(print, pages)}!${sumsBelow(print)}
!${memo && html`<section class="memo"><h2>${memo.label}</h2><p>${memo.value}</p></section>`}</main>
</body></html>`);
}
