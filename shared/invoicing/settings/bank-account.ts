import { z } from 'zod';
import { says } from '../../kernel/language.ts';
import { text } from '../../kernel/schema.ts';

const digits = (count: number) => new RegExp(`^\\d{${count}}$`);

/** Where money is to be sent. Codes and kana are what a bank's transfer file names an account by. */
export const BankAccount = z
  .strictObject({
    bank: text(100).meta({ examples: ['みずほ銀行'] }),
    bank_code: z
      .string()
      .regex(digits(4), says({ en: 'must be 4 digits', ja: 'は4桁の数字で入力してください' }))
      .nullable()
      .default(null)
      .meta({ examples: ['0001'] }),
    branch: text(100)
      .nullable()
      .default(null)
      .meta({ examples: ['丸の内支店'] }),
    branch_code: z
      .string()
      .regex(digits(3), says({ en: 'must be 3 digits', ja: 'は3桁の数字で入力してください' }))
      .nullable()
      .default(null)
      .meta({ examples: ['004'] }),
    type: z.enum(['ordinary', 'checking', 'savings']).default('ordinary').describe('普通, 当座, 貯蓄.'),
    number: z
      .string()
      .trim()
      .regex(
        /^\d[\d-]{0,19}$/,
        says({
          en: 'must be up to 20 digits, with hyphens between if need be',
          ja: 'は20文字以内の数字で入力してください。間にハイフンを使えます',
        }),
      )
      .meta({ examples: ['1234567'] }),
    holder: text(100).meta({ examples: ['ヤマダショウジ（カ'] }),
    holder_kana: text(100)
      .nullable()
      .default(null)
      .meta({ examples: ['ヤマダショウジ（カ'] }),
  })
  .meta({ id: 'BankAccount' });

export type BankAccount = z.output<typeof BankAccount>;
