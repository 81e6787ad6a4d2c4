import { html } from 'ghtml';
import { domains } from '../../../shared/domains.ts';
import type { Language } from '../../../shared/kernel/language.ts';
import type { Guide } from './guides.ts';
import { type Reader, visitOf } from './reader.ts';
import { SCRIPT } from './reference.ts';

const say: Record<Language, { title: string; lead: string; coming: string; guides: string; none: string }> = {
  en: {
    title: 'Reference',
    lead: 'Every endpoint with its parameters, bodies, answers and errors, and a form to try it.',
    coming: 'It is being laid out: a few seconds the first time.',
    guides: 'Guides',
    none: 'The reference needs JavaScript. Everything in it stands in openapi.json too; the guides need none.',
  },
  ja: {
    title: 'リファレンス',
    lead: '全エンドポイントのパラメーター、本文、応答、エラーです。その場で試すこともできます。項目ごとの説明は英語です。',
    coming: '表示を準備しています。初回は数秒かかります。',
    guides: 'ガイド',
    none: 'リファレンスの表示にはJavaScriptが必要です。同じ内容は openapi.json にもあります。ガイドはJavaScriptなしで読めます。',
  },
};

/** The sizes are the page's own: the stylesheet of the other pages would reach into what the script lays out. */
const STYLE = `#first{max-width:46rem;margin:0 auto;padding:2rem 1.25rem;font:1rem/1.6 system-ui,'Hiragino Sans','Noto Sans JP',sans-serif}
#first a{color:#0b57b0}
#first li{margin:.4rem 0}
@media (prefers-color-scheme:dark){html:has(#first){background:#161d27;color:#e5eaf1}#first a{color:#86bbfb}}`;

/**
 * /docs/reference: every endpoint, rendered from the OpenAPI text in the browser. Until its large script has come, the page
 * has words of its own: what it is, and the parts that it will have.
 */
export function referencePage(_: readonly Guide[], reader: Reader): string {
  const { language } = reader;
  const { title, lead, coming, guides, none } = say[language];
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Business Operations Service</title>
<link rel="icon" href="data:,">
<style>!${STYLE}</style>
</head>
<body>
<main id="first">
<h1>${title}</h1>
<p>${lead}</p>
<p><a href="${visitOf(reader, '/docs')}">${guides}</a> · <a href="/openapi.json">openapi.json</a></p>
<p role="status">${coming}</p>
<noscript><p>${none}</p></noscript>
<ul>!${domains.map(({ title: name, records }) => html`<li>${language === 'en' ? `${name}: ` : ''}${records[language]}</li>`).join('\n')}</ul>
</main>
<div id="reference"></div>
<script defer src="${SCRIPT}"></script>
<script defer src="/docs/reference/start.js"></script>
</body>
</html>
`;
}
