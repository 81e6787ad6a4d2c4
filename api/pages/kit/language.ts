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

const names: Record<Language, string> = { ja: '日本語', en: 'English' };

/** The link to the same page in the other language, with the parameters that the page keeps. */
export function languageLink(path: string, language: Language, kept: Record<string, string> = {}): string {
  const other = language === 'ja' ? 'en' : 'ja';
  const query = new URLSearchParams({ lang: other, ...kept });
  return html`<p class="languages"><a href="${`${path}?${query}`}" lang="${other}" hreflang="${other}">${names[other]}</a></p>`;
}
