import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { html } from 'ghtml';
import markdownIt from 'markdown-it';
import { domains } from '../../../shared/domains.ts';
import { PICTURES } from './pictures.ts';

const FOLDER = resolve(import.meta.dirname, '../../../docs/guides');

/** The guides in reading order, those of domains between those of the whole: the name in the path is that of the file. */
export const guideNames: readonly string[] = [
  'getting-started',
  'authentication',
  'pagination',
  'idempotency',
  'own-ids',
  'conditional-requests',
  'errors',
  'events',
  'long-work',
  'exports',
  ...domains.flatMap(({ guides = [] }) => guides),
  'versions',
  'rate-limits',
];

export type Guide = { name: string; title: string; lead: string; body: string };

/** Where the guides say the service is; readers see the address that it really has. */
const WRITTEN_FOR = 'http://localhost:3000';

const markdown = markdownIt({ html: false, linkify: false });

markdown.renderer.rules['table_open'] = () => '<div class="table" tabindex="0">\n<table>\n';
markdown.renderer.rules['table_close'] = () => '</table>\n</div>\n';
// What scrolls must be reachable by keyboard.
markdown.renderer.rules['fence'] = (tokens, index) =>
  html`<pre tabindex="0"><code>${tokens[index]!.content}</code></pre>`;
markdown.renderer.rules['heading_open'] = (tokens, index) => {
  const { tag } = tokens[index]!;
  return html`<${tag} id="${anchorOf(tokens[index + 1]?.content ?? '')}">`;
};

/** All guides, rendered for a service at `base_url`. Links between the files become links between the pages. */
export function guidesFor(base_url: string): Guide[] {
  return guideNames.map((name) => {
    const source = readFileSync(resolve(FOLDER, `${name}.md`), 'utf8').replaceAll(WRITTEN_FOR, base_url);
    const [, title = name] = /^# (.+)$/m.exec(source) ?? [];
    const [, lead = ''] = /^# .+\n\n([^\n]+(?:\n[^\n]+)*)/.exec(source) ?? [];
    const linked = source
      .replace(/\]\(([a-z-]+)\.md(#[a-z-]+)?\)/g, '](/docs/guides/$1$2)')
      .replaceAll('](../pictures/', `](${PICTURES}/`);
    return { name, title, lead: lead.replaceAll('\n', ' '), body: markdown.render(linked) };
  });
}

/** The anchor of a heading: its words in lower case with hyphens between them. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
