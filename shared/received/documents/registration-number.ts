import { z } from 'zod';
import { REGISTRATION_NUMBER } from '../../crm/corporate-number.ts';
import { says } from '../../kernel/language.ts';
import { normalForm } from '../../kernel/normal-form.ts';

/** A registration number as people type it, in its one form: narrow, without hyphens and spaces, with a large T. */
export function foldedNumber(typed: string): string {
  return normalForm(typed, 'NFKC')
    .replaceAll(/[\s\-\u2010-\u2015\u2212\u30fc]/g, '')
    .toUpperCase();
}

/** The registration number of a qualified issuer as callers write it; it becomes `T` and 13 digits. */
export function registrationNumber() {
  return z
    .string()
    .max(50)
    .transform(foldedNumber)
    .refine((value) => REGISTRATION_NUMBER.test(value), {
      params: { code: 'invalid_format' },
      error: says({ en: 'must be T and 13 digits', ja: 'はTと13桁の数字で入力してください' }),
    })
    .meta({ examples: ['T7000012050002'] });
}
