import { html } from 'ghtml';
import type { Context } from 'koa';
import type { Language } from '../../../shared/kernel/language.ts';
import { languageAskedFor } from '../../http/language.ts';

export type { Language };

/** The language that `?lang=` asks for; null without it. Links of a page pass it on, so that no cookie is needed. */
export function askedLanguage(ctx: Context): Language | null {
  const { lang } = ctx.query;
  return lang === 'ja' || lang === 'en' ? lang : null;
}

/** The language that `?lang=` asks for, else the browser's. */
export function languageOf(ctx: Context): Language {
  return askedLanguage(ctx) ?? languageAskedFor(ctx);
}

/** The path of another page in the language that was asked for; as it is where the browser's stands in for it. */
export function linkIn(asked: Language | null, path: string): string {
  if (asked === null) return path;
  const [before, anchor] = path.split('#');
  return `${before}?lang=${asked}${anchor === undefined ? '' : `#${anchor}`}`;
}

const names: Record<Language, string> = { ja: '日本語', en: 'English' };

/** The link to the same page in the other language, with the parameters that the page keeps. */
export function languageLinkIn(path: string, language: Language, kept: Record<string, string> = {}): string {
  const other = language === 'ja' ? 'en' : 'ja';
  const query = new URLSearchParams({ lang: other, ...kept });
  return html`<a href="${`${path}?${query}`}" lang="${other}" hreflang="${other}">${names[other]}</a>`;
}

/** The same as a line of its own, below a page. */
export function languageLink(path: string, language: Language, kept: Record<string, string> = {}): string {
  return html`<p class="languages">!${languageLinkIn(path, language, kept)}</p>`;
}
