import { html } from 'ghtml';
import type { Language } from '../../../shared/kernel/language.ts';
import { page } from '../layout.ts';
import { copyScript } from './copy.ts';
import type { Guide } from './guides.ts';
import { corner, navigation } from './navigation.ts';
import { type Reader, visitOf } from './reader.ts';
import { words } from './words.ts';

type Words = {
  description: string;
  lead: string;
  start: (link: (path: string) => string) => string;
  reference: readonly [path: string, title: string, note: string][];
};

const say: Record<Language, Words> = {
  en: {
    description: "Guides and reference of one HTTP/JSON API for a company's back office.",
    lead: `One HTTP/JSON API for a company's back office. Every record belongs to an organization, every change leaves an
audit entry, and what happens can be followed as events.`,
    start: (
      link,
    ) => html`<a href="${link('/docs/guides/getting-started')}">Getting started</a> takes five minutes.
The <a href="${link('/docs/reference')}">reference</a> has every endpoint with its parameters, bodies and errors.`,
    reference: [
      ['/docs/reference', 'All endpoints', 'With examples, and a form to try them.'],
      ['/docs/errors', 'All error codes', 'What each one means and what to do about it.'],
      ['/openapi.json', 'OpenAPI 3.1', 'The same text for programs: make a client from it.'],
      ['/api/v1/changelog', 'Changelog', 'The dated versions of the API, as JSON.'],
    ],
  },
  ja: {
    description: '会社のバックオフィス業務のためのHTTP/JSON APIのガイドとリファレンスです。',
    lead: '会社のバックオフィス業務を、ひとつのHTTP/JSON APIで扱えます。データは組織ごとに管理され、変更はすべて変更履歴に残り、出来事はイベントとして取得できます。',
    start: (
      link,
    ) => html`<a href="${link('/docs/guides/getting-started')}">はじめに</a>は5分で読み終わります。
各エンドポイントのパラメーター、本文、エラーは<a href="${link('/docs/reference')}">リファレンス</a>にあります（項目ごとの説明は英語です）。`,
    reference: [
      ['/docs/reference', '全エンドポイント', '例と、その場で試せるフォームがあります。'],
      ['/docs/errors', 'エラーコード一覧', 'それぞれの意味と対処方法です。'],
      [
        '/openapi.json',
        'OpenAPI 3.1',
        '同じ内容をプログラム向けに記述したものです。クライアントの生成に使えます。',
      ],
      ['/api/v1/changelog', '変更履歴', 'APIの日付付きバージョンの一覧です（JSON）。'],
    ],
  },
};

/** /docs: where everything about the API is found. */
export function contentsPage(guides: readonly Guide[], reader: Reader): string {
  const { language } = reader;
  const { description, lead, start, reference } = say[language];
  const link = (path: string) => (path.startsWith('/docs') ? visitOf(reader, path) : path);
  const entry = ({ name, title, lead: first }: Guide) =>
    html`<dt><a href="${link(`/docs/guides/${name}`)}">${title}</a></dt>
<dd>${first.replaceAll(/[`*]|\[([^\]]*)\]\([^)]*\)/g, '$1')}</dd>`;
  const body = html`<h1>${words.documentation[language]}</h1>
<p>${lead}</p>
<p>!${start(link)}</p>
<h2>${words.guides[language]}</h2>
<dl>!${guides.map(entry).join('\n')}</dl>
<h2>${words.reference[language]}</h2>
<dl>
!${reference.map(([path, title, note]) => html`<dt><a href="${link(path)}">${title}</a></dt><dd>${note}</dd>`).join('\n')}
</dl>`;
  return page({
    title: `${words.documentation[language]} – Business Operations Service`,
    description,
    language,
    body,
    home: link('/docs'),
    aside: navigation(guides, '/docs', reader),
    corner: corner('/docs', reader),
  });
}

/** The guide of that name. */
export function guidePage(name: Guide['name'], guides: readonly Guide[], reader: Reader): string {
  const { language } = reader;
  const { title, body } = guides.find((one) => one.name === name)!;
  const path = `/docs/guides/${name}`;
  return page({
    title: `${title} – Business Operations Service`,
    language,
    body: html`!${body}
!${copyScript(language)}`,
    home: visitOf(reader, '/docs'),
    aside: navigation(guides, path, reader),
    corner: corner(path, reader),
  });
}
