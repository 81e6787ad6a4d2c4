import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { html } from 'ghtml';
import markdownIt from 'markdown-it';
import { domains } from '../../../shared/domains.ts';
import type { Language } from '../../../shared/kernel/language.ts';
import { PICTURES } from './pictures.ts';
import { type Reader, visitOf } from './reader.ts';
import { withSamples } from './samples.ts';

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

/** A guide as it is read. */
export type Guide = { name: string; title: string; lead: string; body: string };

/** Where the guides say the service is; readers see the address that it really has. */
const WRITTEN_FOR = 'http://localhost:3000';

const markdown = markdownIt({ html: false, linkify: false });

/** The anchors of a guide's headings, in their order; each heading takes the next. */
type Headings = { anchors: string[] };

markdown.renderer.rules['table_open'] = () => '<div class="table" tabindex="0">\n<table>\n';
markdown.renderer.rules['table_close'] = () => '</table>\n</div>\n';
// What scrolls must be reachable by keyboard.
markdown.renderer.rules['fence'] = (tokens, index) =>
  html`<pre tabindex="0"><code>${tokens[index]!.content}</code></pre>`;
markdown.renderer.rules['heading_open'] = (tokens, index, _, headings) =>
  html`<${tokens[index]!.tag} id="${(headings as Headings).anchors.shift() ?? ''}">`;

/** All guides, rendered for a service at `base_url` and a reader. Links between the files become links between the pages. */
export function guidesFor(base_url: string, reader: Reader): Guide[] {
  return guideNames.map((name) => {
    const text = guideText(name, reader.language);
    const [, title = name] = /^# (.+)$/m.exec(text) ?? [];
    const [, lead = ''] = /^# .+\n\n([^\n]+(?:\n[^\n]+)*)/.exec(text) ?? [];
    const linked = text
      .replaceAll(WRITTEN_FOR, base_url)
      .replace(/\]\(([a-z-]+)\.md(#[a-z-]+)?\)/g, '](/docs/guides/$1$2)')
      .replace(/\]\((\/docs[a-z/-]*)/g, (_, path) => `](${visitOf(reader, path)}`)
      .replaceAll('](../pictures/', `](${PICTURES}/`);
    const anchors = anchorsOf(guideText(name, 'en'));
    const body = markdown.render(linked, { anchors });
    return { name, title, lead: oneLine(lead, reader.language), body };
  });
}

/**
 * The source of a guide in a language, its samples filled in. Samples stand in the English one alone, and so does where pictures
 * are looked for.
 */
export function guideText(name: string, language: Language): string {
  const english = readFileSync(resolve(FOLDER, `${name}.md`), 'utf8');
  if (language === 'en') return english;
  const translation = readFileSync(resolve(FOLDER, language, `${name}.md`), 'utf8');
  return withSamples(translation, english).replaceAll('](../../pictures/', '](../pictures/');
}

/** The lines of a paragraph as one: Japanese has no spaces between words. */
function oneLine(lines: string, language: Language): string {
  return lines.replaceAll('\n', language === 'ja' ? '' : ' ');
}

/** The anchors of the headings of an English guide: those of the other languages are the same, so that links lead there too. */
function anchorsOf(english: string): string[] {
  const tokens = markdown.parse(english, {});
  return tokens.flatMap(({ type }, index) =>
    type === 'heading_open' ? [anchorOf(tokens[index + 1]?.content ?? '')] : [],
  );
}

/** The anchor of a heading: its words in lower case with hyphens between them. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
