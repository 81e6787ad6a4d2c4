import { en } from './words-en.ts';
import { ja } from './words-ja.ts';

/** What the page says on which a document is signed. */
export const words = { ja, en };

/** The words of one language. */
export type Say = (typeof words)['ja'] | (typeof words)['en'];
