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

/** A category, as the API shows it. */
export const TaxCategory = z
  .strictObject({
    code: z.string().meta({ examples: ['P10'] }),
    name: z.string().meta({ examples: ['課対仕入10%'] }),
    name_en: z.string().meta({ examples: ['Taxable purchases 10%'] }),
    side: z.enum(['sales', 'purchase', 'none']),
    rate: z.int().describe('Percent.'),
    deductible_percent: z.int().describe('The share of the tax that is deductible.'),
    valid_from: z
      .string()
      .nullable()
      .describe('The first day; null: since ever.')
      .meta({ examples: ['2019-10-01'] }),
    valid_to: z
      .string()
      .nullable()
      .describe('The last day; null: without end.')
      .meta({ examples: [null] }),
  })
  .meta({ id: 'TaxCategory' });
