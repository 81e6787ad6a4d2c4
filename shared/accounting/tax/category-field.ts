import { z } from 'zod';
import { says } from '../../kernel/language.ts';
import { taxCategories } from './categories.ts';

const codes: ReadonlySet<string> = new Set(taxCategories.map(({ code }) => code));

/** The code of a consumption tax category. */
export function taxCategory() {
  return z
    .string()
    .refine((code) => codes.has(code), {
      params: { code: 'invalid_value' },
      error: says({
        en: `must be one of ${[...codes].join(', ')}`,
        ja: `は次のいずれかで指定してください：${[...codes].join('、')}`,
      }),
    })
    .meta({ examples: ['P10'] });
}
