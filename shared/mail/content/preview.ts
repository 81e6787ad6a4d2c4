import { z } from 'zod';
import { id } from '../../kernel/schema.ts';
import { type CampaignMail, compileMail } from './compiled.ts';
import type { MailOrigin, MailRecipient } from './values.ts';

/** A mail before it is sent, as the API shows it. */
export const MailPreview = z
  .strictObject({
    subject: z.string().meta({ examples: ['春の新商品のご案内'] }),
    html: z
      .string()
      .describe('With the footer that the law wants. Links are plain, and nothing is counted.')
      .meta({ examples: ['<!doctype html>\n<html lang="ja">'] }),
    text: z.string().meta({ examples: ['山田 様\n\n--\n送信者: 株式会社山田商店'] }),
    headers: z
      .record(z.string(), z.string())
      .describe(
        'As they are sent, unfolded. `From` and `To` are left out where there is no address, `Date` always: it is the instant of sending.',
      )
      .meta({ examples: [{ 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }] }),
    size_bytes: z
      .int()
      .describe('Of the whole mail.')
      .meta({ examples: [4_312] }),
    missing_values: z
      .array(z.string())
      .describe('Placeholders without a value and without a fallback: such a contact is skipped.')
      .meta({ examples: [['last_name']] }),
  })
  .meta({ id: 'MailPreview' });

export type MailPreview = z.output<typeof MailPreview>;

/** Whom a preview is made out to. */
export const MailPreviewInput = z
  .strictObject({
    contact_id: id('mcont')
      .nullable()
      .optional()
      .describe('null: nobody, so that every fallback stands there.'),
  })
  .meta({ id: 'MailPreviewInput' });

/** The mail that a recipient would get at an instant. */
export function previewOf(
  campaign: CampaignMail,
  origin: MailOrigin,
  recipient: MailRecipient,
  now: Date,
): MailPreview {
  const mail = compileMail(campaign, origin);
  const { subject, html, text, missing } = mail.show(recipient, now);
  const { message } = mail.render(recipient, now);
  return {
    subject,
    html,
    text,
    headers: headersOf(message),
    size_bytes: message.length,
    missing_values: [...missing],
  };
}

/**
 * The header of a message, each field on one line; fields without a value are left out. So is the date: what is shown
 * twice is the same, and a call sent again with its key tells what the first one told.
 */
function headersOf(message: Buffer): Record<string, string> {
  const head = message.toString('latin1', 0, message.indexOf('\r\n\r\n'));
  const fields = head.replace(/\r\n(?=[ \t])/g, '').split('\r\n');
  return Object.fromEntries(
    fields.flatMap((field) => {
      const colon = field.indexOf(':');
      const value = field.slice(colon + 1).trim();
      const name = field.slice(0, colon);
      return value === '' || name === 'Date' ? [] : [[name, value]];
    }),
  );
}
