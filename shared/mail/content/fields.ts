import { says } from '../../kernel/language.ts';
import { freeText } from '../../kernel/schema.ts';
import { name } from '../../platform/access/names.ts';

/** Bytes of a body in UTF-8. */
export const MOST_BODY_BYTES = 512 * 1024;

const line = () => name(200).nullable();

const body = () =>
  freeText(MOST_BODY_BYTES)
    .refine((value) => Buffer.byteLength(value) <= MOST_BODY_BYTES, {
      params: { code: 'too_long' },
      error: says({ en: 'must have 512 KiB or fewer', ja: 'は512 KiB以内で入力してください' }),
    })
    .nullable();

/** What a mail says, as campaigns and templates hold it. */
export const contentFields = {
  subject: line().meta({ examples: ['春の新商品のご案内'] }),
  preheader: line()
    .describe('What mailboxes show after the subject.')
    .meta({ examples: [null] }),
  body_html: body().meta({ examples: ['<p>{{last_name|お客様}} 様</p>'] }),
  body_text: body()
    .describe('Made from `body_html` where it is empty.')
    .meta({ examples: [null] }),
};
