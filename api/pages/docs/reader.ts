import type { Context } from 'koa';
import type { Language } from '../../../shared/kernel/language.ts';
import { askedLanguage, languageOf, linkIn } from '../kit/language.ts';

/** Who reads the documentation: their language, and the one that `lang` asked for, which links pass on. */
export type Reader = { language: Language; asked: Language | null };

/** The reader of a request, with the headers of an answer that is for such readers alone. */
export function readerOf(context: Context): Reader {
  const language = languageOf(context);
  context.vary('Accept-Language');
  context.set('Content-Language', language);
  return { language, asked: askedLanguage(context) };
}

/** Every kind of reader: what is made for one is the same for all of the kind. */
export function kindOf({ language, asked }: Reader): string {
  return `${language} ${asked !== null}`;
}

/** The path of another page of the documentation for this reader. */
export function visitOf({ asked }: Reader, path: string): string {
  return linkIn(asked, path);
}
