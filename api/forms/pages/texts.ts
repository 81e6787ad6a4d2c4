import { html } from 'ghtml';
import { inBoth, type Words } from '../../../shared/forms/schema/texts.ts';
import type { Language } from '../../../shared/kernel/language.ts';

/** A text of a schema in a language, or in the other one where it has that alone. */
export function textIn(text: Words, language: Language): string {
  return inBoth(text)[language];
}

const ADDRESS = /https?:\/\/[^\s<>"'（）、。「」]+/g;
/** What ends a sentence, not an address. */
const END = /[.,:;!?)\]]+$/;

/** Plain text as HTML: blank lines part paragraphs, line ends stay, addresses are links. */
export function paragraphs(text: string): string {
  return text
    .trim()
    .split(/\n[^\S\n]*\n\s*/)
    .filter((each) => each !== '')
    .map((each) => html`<p class="lines">!${withLinks(each)}</p>`)
    .join('\n');
}

function withLinks(text: string): string {
  let shown = '';
  let place = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = found.replace(END, '');
    if (!URL.canParse(address)) continue;
    shown += html`${text.slice(place, index)}<a href="${address}" rel="noopener noreferrer">${address}</a>`;
    place = index + address.length;
  }
  return shown + html`${text.slice(place)}`;
}
