import { html } from 'ghtml';
import type { Guide } from './guides.ts';

/** The list of all pages about the API, with the present one marked. */
export function navigation(guides: readonly Guide[], path: string): string {
  const entry = (href: string, title: string) =>
    html`<li><a href="${href}" !${href === path ? 'aria-current="page"' : ''}>${title}</a></li>`;
  return html`<nav aria-label="Documentation">
<h2>Guides</h2>
<ul>!${guides.map(({ name, title }) => entry(`/docs/guides/${name}`, title)).join('\n')}</ul>
<h2>Reference</h2>
<ul>
!${entry('/docs/reference', 'All endpoints')}
!${entry('/docs/errors', 'All error codes')}
!${entry('/openapi.json', 'OpenAPI 3.1 (JSON)')}
!${entry('/api/v1/changelog', 'Changelog (JSON)')}
</ul>
</nav>`;
}
