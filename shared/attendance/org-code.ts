import { z } from 'zod';
import { says } from '../kernel/language.ts';

/** What departments and positions are told by in files and batches. */
export function orgCode() {
  return z
    .string()
    .regex(
      /^[0-9A-Za-z._-]{1,50}$/,
      says({
        en: 'must be 1 to 50 letters, digits and the signs . _ -',
        ja: 'は半角の英数字と . _ - 50文字以内で入力してください',
      }),
    )
    .meta({ examples: ['SALES-1'] });
}

/** Where a department or position stands among others; small numbers come first. */
export function sortOrder() {
  return z
    .int()
    .min(-1_000_000)
    .max(1_000_000)
    .describe('Small numbers come first.')
    .meta({ examples: [10] });
}
