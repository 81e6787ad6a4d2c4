import { z } from 'zod';
import { says } from '../../kernel/language.ts';
import { email, freeText, text } from '../../kernel/schema.ts';

/** Addresses that one mail may go to, in each of the two fields. */
const MOST = 20;

/** The options of a mail with a document; what is left out comes from the contact, the company and the settings. */
export const DocumentEmailInput = z
  .strictObject({
    to: z
      .array(email())
      .max(MOST)
      .describe("The contact's address unless said, else the company's.")
      .meta({ examples: [['hanako.yamada@example.co.jp']] }),
    cc: z
      .array(email())
      .max(MOST)
      .meta({ examples: [['keiri@example.co.jp']] }),
    subject: text(200)
      .describe(
        "The settings' template unless said. It is sent as it stands, in one line: it has no places to fill in.",
      )
      .meta({ examples: ['請求書 INV-2026-0001 をお送りします'] }),
    message: freeText(10_000)
      .refine((value) => value.trim() !== '', {
        params: { code: 'too_short' },
        error: says({ en: 'must not be empty', ja: 'を入力してください' }),
      })
      .describe("The settings' template unless said, sent as it stands.")
      .meta({ examples: ['いつもお世話になっております。\n請求書をお送りします。'] }),
  })
  .partial()
  .meta({ id: 'DocumentEmailInput' });

export type DocumentEmailInput = z.output<typeof DocumentEmailInput>;
