import type { Language } from './language.ts';
import type { Visit } from './page.ts';

/**
 * The language of a page: what `lang` asks for, then the browser's where it is one of ours, then that of what it shows. The page
 * must hear `Accept-Language`.
 */
export function languageFor(
  { asked_language, language, steps }: Pick<Visit, 'asked_language' | 'language' | 'steps'>,
  locale: Language,
): Language {
  if (asked_language !== null) return asked_language;
  const heard = steps.heard['Accept-Language'] ?? '';
  return /\b(?:ja|en)\b/i.test(heard) ? language : locale;
}
