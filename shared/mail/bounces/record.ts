import { z } from 'zod';
import { TenantModel } from '../../db/model.ts';
import { id, timestamp } from '../../kernel/schema.ts';

/** How a message came in. */
export const inboundSources = ['hook', 'mailbox'] as const;

export type InboundSource = (typeof inboundSources)[number];

/** What became of a message that came in. `unmatched`: it proves no mail of a campaign, so nothing changed. */
export const inboundResults = [
  'bounce',
  'complaint',
  'unsubscribe',
  'auto_reply',
  'unmatched',
  'ignored',
] as const;

export type InboundResult = (typeof inboundResults)[number];

export const MailBounce = z
  .strictObject({
    class: z.enum(['hard', 'soft']).describe('`hard`: no mail will ever arrive there.'),
    status: z
      .string()
      .nullable()
      .describe('The enhanced status code (RFC 3463), where one was told.')
      .meta({ examples: ['5.1.1'] }),
    diagnostic: z
      .string()
      .nullable()
      .describe('What the other server wrote.')
      .meta({ examples: ['550 5.1.1 No such user'] }),
    at: timestamp(),
  })
  .meta({ id: 'MailBounce' });

export type MailBounce = z.output<typeof MailBounce>;

/** A report, or a mail, that came in by the hook or the mailbox, as the API shows it. */
export const InboundMessage = z
  .strictObject({
    id: id('minb'),
    object: z.literal('mail.inbound_message'),
    source: z.enum(inboundSources),
    result: z
      .enum(inboundResults)
      .nullable()
      .describe(
        'null until it is read. `unmatched`: it has no valid token and named no mail of a campaign, so nothing changed.',
      ),
    recipient_id: id('mrcp').nullable().describe('Whose mail it is about.'),
    bounce: MailBounce.nullable(),
    received_at: timestamp(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'MailInboundMessage' });

export type InboundMessage = z.output<typeof InboundMessage>;

/** The table; beside the API's fields it holds the text for 30 days, and what it tells until that is applied. */
export class InboundMessageModel extends TenantModel {
  static override tableName = 'mail_inbound_messages';
  static override jsonAttributes = ['bounce', 'event'];
}
