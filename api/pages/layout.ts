import { html } from 'ghtml';

export type Page = {
  title: string;
  /** One sentence for search results and links. */
  description?: string;
  /** HTML, escaped already. */
  body: string;
  /** What stands before the body, for the parts of a larger whole; HTML, escaped already. */
  aside?: string;
  /** What stands at the right of the top; HTML, escaped already. */
  corner?: string;
  language?: 'ja' | 'en';
  /** Where the name of the service at the top leads; null for nowhere. */
  home?: string | null;
  /** Whose name stands at the top in the place of the service's, and what the head has besides; HTML, escaped already. */
  frame?: { name: string; head: string } | undefined;
};

const skip = { ja: '本文へ移動', en: 'Skip to the content' };

/** Where the stylesheet that all pages share is served. */
export const STYLESHEET = '/pages/style.css';

const NAME = 'Business Operations Service';

/** A whole page: no script, nothing from elsewhere, one stylesheet. */
export function page({
  title,
  description,
  body,
  aside = '',
  corner = '',
  language = 'en',
  home = '/docs',
  frame = { name: NAME, head: '' },
}: Page): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
!${description ? html`<meta name="description" content="${description}">` : ''}
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLESHEET}">
!${frame.head}
</head>
<body>
<a class="skip" href="#main">${skip[language]}</a>
<header class="top">!${home === null ? html`${frame.name}` : html`<a href="${home}">${frame.name}</a>`}!${corner}</header>
<div class="columns">
!${aside}
<main id="main" tabindex="-1">
!${body}
</main>
</div>
</body>
</html>
`;
}
