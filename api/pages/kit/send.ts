import { Readable } from 'node:stream';
import { html } from 'ghtml';
import type { Context } from 'koa';
import { page } from '../layout.ts';
import { pagePolicy } from '../policy.ts';
import { type Language, languageLink } from './language.ts';
import type { Bare, Go, Page, View } from './page.ts';

/** The header that keeps robots away from a page that is none of theirs. */
export function robots({ is_indexed }: Pick<Page, 'is_indexed'>): Record<string, string> {
  return is_indexed ? {} : { 'X-Robots-Tag': 'noindex' };
}

/** Answers with what a page shows, in the visitor's language unless the view has its own, or with where it leads. */
export function sendShown(
  ctx: Context,
  shown: View | Go,
  { language: visitors, home }: { language: Language; home: string | null },
): void {
  const { cookies = [] } = shown;
  if (cookies.length > 0) ctx.append('Set-Cookie', cookies);
  if ('to' in shown) {
    const { to, has_moved = false } = shown;
    ctx.status = has_moved ? 308 : 303;
    ctx.set('Location', has_moved ? to + ctx.search : to);
    return;
  }
  const {
    status = 200,
    title,
    body,
    rows,
    policy,
    language = visitors,
    kept,
    is_indexed,
    frame,
    is_wide,
  } = shown;
  ctx.status = status;
  ctx.set('Content-Language', language);
  if (is_indexed === false) ctx.set(robots({}));
  ctx.type = 'text/html';
  ctx.set('Content-Security-Policy', pagePolicy({ 'form-action': "'self'", ...policy }));
  // It knows no sites but this one: a page that others may show is left to the policy.
  if ((policy?.['frame-ancestors'] ?? "'none'") !== "'none'") ctx.remove('X-Frame-Options');
  const whole = html`<div class="${classesOf(home, is_wide)}">
!${body}!${rows ? ROWS : ''}
!${languageLink(ctx.path, language, kept)}
</div>`;
  const text = page({
    title: `${title} – ${frame?.name ?? 'Business Operations Service'}`,
    body: whole,
    language,
    home,
    frame,
  });
  ctx.body = rows ? Readable.from(withRows(text, rows), { objectMode: false }) : text;
}

function classesOf(home: string | null, is_wide = false): string {
  if (home === null) return 'form-page';
  return is_wide ? 'form-page wide' : 'form-page card';
}

/** Answers with what is not a page of the kit: it has no language of its own unless it says so. */
export function sendBare(ctx: Context, { status, type, content, headers = {} }: Bare): void {
  ctx.remove('Content-Language');
  ctx.status = status;
  ctx.body = content;
  if (type === null) ctx.remove('Content-Type');
  else ctx.type = type;
  ctx.set(headers);
}

/** Stands in a page where its rows will: a character that no HTML has. */
const ROWS = '\u0000';

async function* withRows(text: string, rows: AsyncIterable<string>): AsyncGenerator<string> {
  const [before, after] = text.split(ROWS);
  yield before!;
  yield* rows;
  yield after!;
}
