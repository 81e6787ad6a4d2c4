import { z } from 'zod';
import { says } from '../kernel/language.ts';

const dayOfMonth = () =>
  z.union([z.int().min(1).max(28), z.literal('end')], {
    error: says({
      en: 'must be a day from 1 to 28, or "end"',
      ja: 'は1〜28の日、または "end" で指定してください',
    }),
  });

/** 締め日と支払日: invoices of a month up to `closing_day` are paid on `pay_day`, `months_later` months on. */
export const PaymentTerms = z
  .strictObject({
    closing_day: dayOfMonth().meta({ examples: ['end'] }),
    months_later: z
      .int()
      .min(0)
      .max(6)
      .meta({ examples: [1] }),
    pay_day: dayOfMonth().meta({ examples: ['end'] }),
  })
  .meta({ id: 'PaymentTerms' });

export type PaymentTerms = z.output<typeof PaymentTerms>;
