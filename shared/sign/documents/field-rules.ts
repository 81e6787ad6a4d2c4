import { z } from 'zod';
import { says } from '../../kernel/language.ts';
import { DecimalSource, decimalInput, text } from '../../kernel/schema.ts';

const length = () => z.int().min(0).max(2_000).optional();

/** What a text or number of a field must be. */
export const FieldValidation = z
  .strictObject({
    min_length: length().meta({ examples: [1] }),
    max_length: length().meta({ examples: [50] }),
    format: z.enum(['digits', 'email', 'phone', 'postal_code']).optional(),
    min: decimalInput()
      .optional()
      .meta({ examples: ['0'] }),
    max: decimalInput()
      .optional()
      .meta({ examples: ['100'] }),
  })
  .meta({ id: 'SignFieldValidation' });

export type FieldValidation = z.output<typeof FieldValidation>;

/** The rules of a field that answers and requests share. */
export const FieldRules = z.strictObject({
  options: z
    .array(text(200).meta({ examples: ['同意する'] }))
    .min(2)
    .max(50)
    .refine((options) => new Set(options).size === options.length, {
      params: { code: 'duplicate' },
      error: says({ en: 'must not have the same option twice', ja: 'に同じ選択肢が重複しています' }),
    })
    .nullable()
    .describe('What can be chosen in a `radio` or `select`.')
    .meta({ examples: [null] }),
  font_size: z
    .union([z.number(), z.instanceof(DecimalSource)])
    .transform((value) => Number(value instanceof DecimalSource ? value.text : value))
    .pipe(z.number().min(6).max(36))
    .describe('In points.')
    .meta({ jsonSchema: { type: 'number', minimum: 6, maximum: 36 }, examples: [10] }),
  validation: FieldValidation.nullable().meta({ examples: [null] }),
});
