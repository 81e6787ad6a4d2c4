import { z } from 'zod';
import type { Sentence } from '../kernel/sentences.ts';

/**
 * The check digit of a corporate number, the leftmost of its 13 digits, from the other 12: 9 - (sum of P(n) x Q(n)
 * mod 9), n counted from the right, Q = 1 for odd n and 2 for even n. Source: 法人番号の指定等に関する省令 (平成26年
 * 財務省令第70号) 第2条.
 */
export function corporateCheckDigit(twelve: string): number {
  let sum = 0;
  for (let n = 1; n <= 12; n += 1) sum += Number(twelve[12 - n]) * (n % 2 === 1 ? 1 : 2);
  return 9 - (sum % 9);
}

/** Whether the text is 13 digits whose first one is right. */
export function isCorporateNumber(text: string): boolean {
  return /^\d{13}$/.test(text) && Number(text[0]) === corporateCheckDigit(text.slice(1));
}

/** The form of an invoice registration number (適格請求書発行事業者の登録番号): `T` and 13 digits. */
export const REGISTRATION_NUMBER = /^T\d{13}$/;

/** A remark about a record that was accepted all the same; `path` is a JSON pointer into it. */
export const Warning = z
  .strictObject({
    path: z.string().meta({ examples: ['/invoice_registration_number'] }),
    code: z.string().meta({ examples: ['check_digit'] }),
    message: z.string().meta({
      examples: [
        'The digits are not those of a corporate number; check them unless the company is a sole trader',
      ],
    }),
  })
  .meta({ id: 'Warning' });

export type Warning = z.output<typeof Warning>;

/**
 * What is odd about a company's numbers. A registration number of a corporation is `T` and its corporate number,
 * so its check digit should fit; that of a sole trader follows no such rule, hence a warning and no error.
 */
export function numberWarnings(company: { invoice_registration_number: string | null }): Warning[] {
  const number = company.invoice_registration_number;
  if (number === null || isCorporateNumber(number.slice(1))) return [];
  return [
    {
      path: '/invoice_registration_number',
      code: 'check_digit',
      message: strangeDigits().en,
    },
  ];
}

const strangeDigits = () => ({
  en: 'The digits are not those of a corporate number; check them unless the company is a sole trader',
  ja: '法人番号の検査用数字と一致しません。個人事業者でない場合は確認してください',
});

/** What the warnings of companies say. */
export const companyWarnings: readonly Sentence[] = [strangeDigits];
