import { STATUS_CODES } from 'node:http';
import { html } from 'ghtml';
import { failures, shownCode } from '../../../shared/domains.ts';
import type { FailureCode } from '../../../shared/kernel/failures.ts';
import { page } from '../layout.ts';
import type { Guide } from './guides.ts';
import { navigation } from './navigation.ts';

/** /docs/errors: every code of the table of failures; the `type` of a problem leads to its anchor. */
export function errorsPage(guides: readonly Guide[]): string {
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
<dd>${title}.</dd>
<dd class="quiet">${help}</dd>`,
        )
        .join('\n')}
</dl>`,
    );
  const body = html`<h1>Error codes</h1>
<p>Every error is a problem in the sense of RFC 9457, with one of these codes in <code>code</code>. The guide to
<a href="/docs/guides/errors">errors</a> shows how to read one. New codes may be added: treat one that you do not know
like others of its status.</p>
!${sections.join('\n')}`;
  return page({
    title: 'Error codes – Business Operations Service',
    description: 'What each error code of the API means and what to do about it.',
    body,
    aside: navigation(guides, '/docs/errors'),
  });
}
