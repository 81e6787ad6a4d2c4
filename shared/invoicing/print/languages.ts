import { english } from './english.ts';
import { japanese } from './japanese.ts';
import type { PrintLocale } from './model.ts';
import type { Words } from './words.ts';

/** The words of the pages by language. */
export const words: Record<PrintLocale, Words> = { ja: japanese, en: english };
