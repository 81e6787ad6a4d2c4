import { inCommonLetters } from './letters.ts';

/** A text as CSS can hold it inside of a style element: every letter that could end either stands as its number. */
export function cssString(text: string): string {
  const safe = inCommonLetters(text).replace(
    /[^\p{L}\p{N} ]/gu,
    (letter) => `\\${letter.codePointAt(0)!.toString(16)} `,
  );
  return `"${safe}"`;
}
