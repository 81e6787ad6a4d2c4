import { html } from 'ghtml';
import { page } from '../layout.ts';
import type { Guide } from './guides.ts';
import { navigation } from './navigation.ts';

/** /docs: where everything about the API is found. */
export function contentsPage(guides: readonly Guide[]): string {
  const body = html`<h1>Documentation</h1>
<p>One HTTP/JSON API for a company's back office. Every record belongs to an organization, every change leaves an
audit entry, and what happens can be followed as events.</p>
<p><a href="/docs/guides/getting-started">Getting started</a> takes five minutes.
The <a href="/docs/reference">reference</a> has every endpoint with its parameters, bodies and errors.</p>
<h2>Guides</h2>
<dl>!${guides
    .map(
      ({ name, title, lead }) =>
        html`<dt><a href="/docs/guides/${name}">${title}</a></dt>
<dd>${lead.replaceAll(/[`*]|\[([^\]]*)\]\([^)]*\)/g, '$1')}</dd>`,
    )
    .join('\n')}</dl>
<h2>Reference</h2>
<dl>
<dt><a href="/docs/reference">All endpoints</a></dt><dd>With examples, and a form to try them.</dd>
<dt><a href="/docs/errors">All error codes</a></dt><dd>What each one means and what to do about it.</dd>
<dt><a href="/openapi.json">OpenAPI 3.1</a></dt><dd>The same text for programs: make a client from it.</dd>
<dt><a href="/api/v1/changelog">Changelog</a></dt><dd>The dated versions of the API, as JSON.</dd>
</dl>`;
  return page({
    title: 'Documentation – Business Operations Service',
    description: "Guides and reference of one HTTP/JSON API for a company's back office.",
    body,
    aside: navigation(guides, '/docs'),
  });
}

/** The guide of that name. */
export function guidePage(name: Guide['name'], guides: readonly Guide[]): string {
  const guide = guides.find((one) => one.name === name)!;
  return page({
    title: `${guide.title} – Business Operations Service`,
    body: guide.body,
    aside: navigation(guides, `/docs/guides/${guide.name}`),
  });
}
