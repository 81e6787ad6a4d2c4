import { z } from 'zod';
import { TenantModel } from '../../../db/model.ts';
import { id, timestamp } from '../../../kernel/schema.ts';
import { MailBounce } from '../../bounces/record.ts';

/** Where a recipient stands. `unknown`: nobody knows whether the mail was taken. */
export const recipientStatuses = ['queued', 'sending', 'sent', 'failed', 'skipped', 'unknown'] as const;

export type RecipientStatus = (typeof recipientStatuses)[number];

const blankText = () =>
  z
    .string()
    .nullable()
    .meta({ examples: [null] });

const blankTime = () =>
  timestamp()
    .nullable()
    .meta({ examples: [null] });

/** A recipient of a campaign, as the API shows it. */
export const Recipient = z
  .strictObject({
    id: id('mrcp'),
    object: z.literal('mail.recipient'),
    campaign_id: id('camp'),
    contact_id: id('mcont').nullable().describe('null once the contact is erased.'),
    email: z
      .string()
      .nullable()
      .describe(
        'Where its mail went; until then where it was to go when the campaign began, or was tried last. A mail goes to the address that the contact has when it begins. null once the contact is erased.',
      )
      .meta({ examples: ['hanako.yamada@example.co.jp'] }),
    status: z.enum(recipientStatuses).meta({ examples: ['sent'] }),
    reason: blankText().describe(
      'Why it was skipped or failed, or how an unknown one was settled. `repeated_address`: the contact has come to an address at which another recipient of the campaign has got the mail.',
    ),
    attempts: z
      .int()
      .describe('How often a mail server was asked to take it.')
      .meta({ examples: [1] }),
    smtp_response: blankText()
      .describe('What the mail server answered last.')
      .meta({ examples: ['250 2.0.0 Ok: queued'] }),
    message_id: blankText().meta({ examples: ['<mrcp_01kaj2n5w5fq8b4m0g3v7x9rtc@example.co.jp>'] }),
    next_attempt_at: blankTime().describe('When it is tried again.'),
    sent_at: timestamp().nullable(),
    bounce: MailBounce.nullable().meta({ examples: [null] }),
    complained_at: blankTime(),
    unsubscribed_at: blankTime(),
    tracked: z.boolean().describe('Whether the person agreed that opens and clicks are counted.'),
    opened_at: blankTime().describe('When a person first opened it; robots do not count.'),
    clicked_at: blankTime().describe('When a person first followed one of its links.'),
  })
  .meta({ id: 'MailRecipient' });

export type Recipient = z.output<typeof Recipient>;

export class RecipientModel extends TenantModel {
  static override tableName = 'mail_campaign_recipients';
}
