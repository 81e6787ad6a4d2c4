import { STATUS_CODES } from 'node:http';
import { html } from 'ghtml';
import { failures, shownCode } from '../../../shared/domains.ts';
import type { FailureCode } from '../../../shared/kernel/failures.ts';
import type { Language } from '../../../shared/kernel/language.ts';
import { page } from '../layout.ts';
import type { Guide } from './guides.ts';
import { corner, navigation } from './navigation.ts';
import { type Reader, visitOf } from './reader.ts';

const stops: Record<Language, string> = { en: '.', ja: '。' };

const words: Record<Language, { title: string; description: string; lead: (guide: string) => string }> = {
  en: {
    title: 'Error codes',
    description: 'What each error code of the API means and what to do about it.',
    lead: (
      guide,
    ) => html`<p>Every error is a problem in the sense of RFC 9457, with one of these codes in <code>code</code>. The guide to
<a href="${guide}">errors</a> shows how to read one. New codes may be added: treat one that you do not know
like others of its status.</p>`,
  },
  ja: {
    title: 'エラーコード',
    description: 'APIの各エラーコードの意味と対処方法です。',
    lead: (
      guide,
    ) => html`<p>エラーはすべてRFC 9457の形式で、<code>code</code> にいずれかのコードが入ります。読み方は
<a href="${guide}">エラーのガイド</a>をご覧ください。コードは追加されることがあります。知らないコードは、同じステータスのほかのコードと同様に扱ってください。</p>`,
  },
};

/** /docs/errors: every code of the table of failures; the `type` of a problem leads to its anchor. */
export function errorsPage(guides: readonly Guide[], reader: Reader): string {
  const { language } = reader;
  const { title: heading, lead, description } = words[language];
  const byStatus = Map.groupBy(Object.entries(failures), ([, { status }]) => status);
  const sections = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(
      ([status, ofStatus]) => html`<h2 id="status-${status}">${status} ${STATUS_CODES[status]}</h2>
<dl class="failures">
!${ofStatus
        .map(
          ([
            code,
            { title, help },
          ]) => html`<dt id="${code}"><a href="#${code}"><code>${shownCode(code as FailureCode)}</code></a></dt>
<dd>${title[language]}${stops[language]}</dd>
<dd class="quiet">${help[language]}</dd>`,
        )
        .join('\n')}
</dl>`,
    );
  const body = html`<h1>${heading}</h1>
!${lead(visitOf(reader, '/docs/guides/errors'))}
!${sections.join('\n')}`;
  return page({
    title: `${heading} – Business Operations Service`,
    description,
    language,
    body,
    home: visitOf(reader, '/docs'),
    aside: navigation(guides, '/docs/errors', reader),
    corner: corner('/docs/errors', reader),
  });
}
