import { html } from 'ghtml';
import type { Language } from '../../../shared/kernel/language.ts';
import { languageLinkIn } from '../kit/language.ts';
import type { Guide } from './guides.ts';
import { type Reader, visitOf } from './reader.ts';
import { words } from './words.ts';

/** The list of all pages about the API, with the present one marked. A narrow screen shows it when its button is pressed. */
export function navigation(guides: readonly Guide[], path: string, reader: Reader): string {
  const { language } = reader;
  const entry = (to: string, title: string, of = language) => {
    const spoken = of === language ? '' : html` lang="${of}"`;
    return html`<li><a href="${to.startsWith('/docs') ? visitOf(reader, to) : to}"!${to === path ? ' aria-current="page"' : ''}!${spoken}>${title}</a></li>`;
  };
  const ofGuide = ({ name, title, language: of }: Guide) => entry(`/docs/guides/${name}`, title, of);
  const [own, foreign] = byLanguage(guides, language);
  return html`<nav id="${MENU}" popover aria-label="${words.documentation[language]}">
<h2>${words.guides[language]}</h2>
<ul>!${own.map(ofGuide).join('\n')}</ul>
!${foreign.length > 0 ? html`<h2>${words.foreign_guides[language]}</h2><ul>!${foreign.map(ofGuide).join('\n')}</ul>` : ''}
<h2>${words.reference[language]}</h2>
<ul>
!${entry('/docs/reference', words.all_endpoints[language])}
!${entry('/docs/errors', words.all_errors[language])}
!${entry('/openapi.json', words.openapi[language])}
!${entry('/api/v1/changelog', words.changelog[language])}
</ul>
</nav>`;
}

/** The guides that the reader has in their language, and those in another. */
export function byLanguage(guides: readonly Guide[], language: Language): [own: Guide[], foreign: Guide[]] {
  const own = guides.filter((guide) => guide.language === language);
  return [own, guides.filter((guide) => guide.language !== language)];
}

const MENU = 'menu';

/** What stands at the top of each page about the API: the button that shows the list, and the other language. */
export function corner(path: string, { language }: Reader): string {
  return html`<button type="button" class="menu plain" popovertarget="${MENU}">${words.menu[language]}</button>
!${languageLinkIn(path, language)}`;
}
