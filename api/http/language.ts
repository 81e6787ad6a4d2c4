import type { Context } from 'koa';
import type { Language } from '../../shared/kernel/language.ts';

/** The language that the caller prefers by `Accept-Language`; English where none of ours is asked for. */
export function languageAskedFor(context: Pick<Context, 'acceptsLanguages'>): Language {
  return context.acceptsLanguages('en', 'ja') === 'ja' ? 'ja' : 'en';
}

/** The caller's language, with the headers of an answer that is written in it. */
export function speakTo(context: Pick<Context, 'acceptsLanguages' | 'set' | 'vary'>): Language {
  const language = languageAskedFor(context);
  context.vary('Accept-Language');
  context.set('Content-Language', language);
  return language;
}
