import type { Language } from '../../../shared/kernel/language.ts';
import { en } from './words-en.ts';
import { ja } from './words-ja.ts';

/** What the pages of forms say. */
export const words: Record<Language, typeof ja> = { ja, en };
