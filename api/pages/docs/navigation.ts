import { html } from 'ghtml';
import { languageLinkIn } from '../kit/language.ts';
import type { Guide } from './guides.ts';
import { type Reader, visitOf } from './reader.ts';
import { words } from './words.ts';

/** The list of all pages about the API, with the present one marked. A narrow screen shows it when its button is pressed. */
export function navigation(guides: readonly Guide[], path: string, reader: Reader): string {
  const { language } = reader;
  const entry = (to: string, title: string) =>
    html`<li><a href="${to.startsWith('/docs') ? visitOf(reader, to) : to}"!${to === path ? ' aria-current="page"' : ''}>${title}</a></li>`;
  return html`<nav id="${MENU}" popover aria-label="${words.documentation[language]}">
<h2>${words.guides[language]}</h2>
<ul>!${guides.map(({ name, title }) => entry(`/docs/guides/${name}`, title)).join('\n')}</ul>
<h2>${words.reference[language]}</h2>
<ul>
!${entry('/docs/reference', words.all_endpoints[language])}
!${entry('/docs/errors', words.all_errors[language])}
!${entry('/openapi.json', words.openapi[language])}
!${entry('/api/v1/changelog', words.changelog[language])}
</ul>
</nav>`;
}

const MENU = 'menu';

/** What stands at the top of each page about the API: the button that shows the list, and the other language. */
export function corner(path: string, { language }: Reader): string {
  return html`<button type="button" class="menu plain" popovertarget="${MENU}">${words.menu[language]}</button>
!${languageLinkIn(path, language)}`;
}
