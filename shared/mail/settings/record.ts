import { z } from 'zod';
import { factsOf } from '../../kernel/fact.ts';
import { says } from '../../kernel/language.ts';
import { decimalInput, email, text, timestamp } from '../../kernel/schema.ts';
import { name } from '../../platform/access/names.ts';
import { MailThrottle, MailThrottleChanges, UNTHROTTLED } from '../throttle.ts';
import { DkimKey } from './dkim-record.ts';

/** RFC 5321 allows 64 characters before the @, and `+` and a token of 40 and a few more follow. */
const LONGEST_LOCAL_PART = 16;

const bounceAddress = () =>
  email()
    .refine((address) => address.indexOf('@') <= LONGEST_LOCAL_PART, {
      params: { code: 'too_long' },
      error: says({
        en: `must have ${LONGEST_LOCAL_PART} characters or fewer before the @`,
        ja: `の @ より前は${LONGEST_LOCAL_PART}文字以内で指定してください`,
      }),
    })
    .nullable()
    .describe('Where delivery reports go: a token is put after its part before the @.')
    .meta({ examples: ['bounce@example.co.jp'] });

const webAddress = () =>
  z
    .string()
    .max(2_000)
    .refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? '') && !/\s/.test(value), {
      params: { code: 'invalid_format' },
      error: says({
        en: 'must be the address of a page that begins with http:// or https://',
        ja: 'は http:// または https:// で始まるURLで指定してください',
      }),
    });

/** A percentage above 0 as a text of two decimals; what is sent may have fewer. */
const percent = () =>
  decimalInput()
    .refine((value) => /^(100(\.0{1,2})?|\d{1,2}(\.\d{1,2})?)$/.test(value) && /[1-9]/.test(value), {
      params: { code: 'out_of_range' },
      error: says({
        en: 'must be above 0, at most 100, with two decimals at most',
        ja: 'は0より大きく100以下の、小数点以下2桁までの数で指定してください',
      }),
    })
    .transform(withTwoDecimals)
    .nullable();

function withTwoDecimals(value: string): string {
  const [whole, part = ''] = value.split('.');
  return `${whole}.${part.padEnd(2, '0')}`;
}

const shownPercent = z
  .string()
  .nullable()
  .describe('In percent; null: never.')
  .meta({ examples: ['5.00'] });

const MailAutoPause = z
  .strictObject({ bounce_percent: shownPercent, complaint_percent: shownPercent })
  .describe('From how many bounces and complaints on a campaign pauses by itself.')
  .meta({ id: 'MailAutoPause' });

const MailAutoPauseChanges = z
  .strictObject({
    bounce_percent: percent().meta({ examples: ['5.00'] }),
    complaint_percent: percent().meta({ examples: ['0.30'] }),
  })
  .partial()
  .meta({ id: 'MailAutoPauseChanges' });

const fields = {
  sender_name: name(200)
    .nullable()
    .describe('Who sends, as the anti-spam act (特定電子メール法, Art. 4) wants it told.')
    .meta({ examples: ['株式会社山田商店'] }),
  sender_address: text(500)
    .nullable()
    .meta({ examples: ['東京都千代田区丸の内1-1-1'] }),
  sender_contact: name(500)
    .nullable()
    .describe('A telephone number, an e-mail address or the address of a page, for complaints.')
    .meta({ examples: ['03-1234-5678'] }),
  mail_order: z
    .boolean()
    .describe('Whether advertisements are for mail order (特定商取引法, Art. 12-3).')
    .meta({ examples: [false] }),
  mail_order_notice_url: webAddress()
    .nullable()
    .describe('The page with what mail order has to tell.')
    .meta({ examples: ['https://www.example.co.jp/law'] }),
  default_from_name: name(200)
    .nullable()
    .meta({ examples: ['山田商店'] }),
  default_from_email: email().nullable(),
  default_reply_to: email().nullable(),
  bounce_address: bounceAddress(),
};

/** The settings of an organization's mail, as the API shows them. */
export const MailSettings = z
  .strictObject({
    id: z.string().meta({ examples: ['org_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
    object: z.literal('mail.settings'),
    ...fields,
    throttle: MailThrottle.describe('Of all campaigns together.'),
    auto_pause: MailAutoPause,
    dkim_keys: z
      .array(DkimKey)
      .describe('Mails of their domains are signed.')
      .meta({ examples: [[]] }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'MailSettings' });

export type MailSettings = z.output<typeof MailSettings>;

/** What is sent of settings: what is left out stays as it is. */
export const MailSettingsPatch = z
  .strictObject({ ...fields, throttle: MailThrottleChanges, auto_pause: MailAutoPauseChanges })
  .partial()
  .meta({ id: 'MailSettingsPatch' });

export type MailSettingsPatch = z.output<typeof MailSettingsPatch>;

/** The settings as they are stored in one row. */
export type KeptMailSettings = Omit<
  MailSettings,
  'id' | 'object' | 'dkim_keys' | 'created_at' | 'updated_at'
>;

/** What an organization has that changed nothing. */
export const defaultMailSettings: KeptMailSettings = {
  sender_name: null,
  sender_address: null,
  sender_contact: null,
  mail_order: false,
  mail_order_notice_url: null,
  default_from_name: null,
  default_from_email: null,
  default_reply_to: null,
  bounce_address: null,
  throttle: UNTHROTTLED,
  auto_pause: { bounce_percent: '5.00', complaint_percent: '0.30' },
};

export const mailSettingsFacts = factsOf({ domain: 'mail', entity_type: 'settings' });
