import { z } from 'zod';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { email, id, text, timestamp, timestampInput } from '../../kernel/schema.ts';

/** How far the mail of an invitation came: `none` was asked for, or it waits, or it ended one of three ways. */
export const deliveries = ['none', 'queued', 'sent', 'failed', 'unknown'] as const;

export type Delivery = (typeof deliveries)[number];

const name = () => text(200).meta({ examples: ['山田 花子'] });

const hidden = () =>
  z
    .record(z.string(), z.string().max(255))
    .describe('Values of the hidden names, which stand above those of the page.')
    .meta({ examples: [{ campaign: 'spring' }] });

/** An invitation, as the API shows it. Its token is nowhere in it. */
export const FormInvitation = z
  .strictObject({
    id: id('finv'),
    object: z.literal('forms.invitation'),
    form_id: id('form'),
    email: email().nullable().describe('null once it was erased.'),
    name: name().nullable(),
    hidden: hidden(),
    delivery: z.enum(deliveries).describe('How far its mail came.'),
    response_id: id('resp')
      .nullable()
      .describe('The response that used it up; null while it can be answered.')
      .meta({ examples: [null] }),
    expires_at: timestamp()
      .nullable()
      .meta({ examples: [null] }),
    revoked_at: timestamp()
      .nullable()
      .describe('When it was taken back, its address erased, or its form archived.')
      .meta({ examples: [null] }),
    created_by: id('usr').nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'FormInvitation' });

export type FormInvitation = z.output<typeof FormInvitation>;

/** The most people who are invited by one call. */
const MOST_RECIPIENTS = 1_000;

/** Whom to invite. */
export const InvitationsInput = z
  .strictObject({
    recipients: z
      .array(
        z.strictObject({
          email: email(),
          name: name().nullable().default(null),
          hidden: hidden().default({}),
        }),
      )
      .min(1)
      .max(MOST_RECIPIENTS),
    send: z
      .boolean()
      .default(false)
      .describe('Whether each is mailed the address.')
      .meta({ examples: [true] }),
    expires_at: timestampInput()
      .nullable()
      .default(null)
      .describe('Until when they can be answered; null for no end.'),
  })
  .meta({ id: 'FormInvitationsInput' });

export type InvitationsInput = z.output<typeof InvitationsInput>;

export class InvitationModel extends TenantModel {
  static override tableName = 'forms_invitations';
  static override jsonAttributes = ['hidden'];
}

export const invitationFacts = factsOf({
  domain: 'forms',
  entity_type: 'invitation',
  computed: ['delivery', 'response_id'],
  masked: ['email', 'name', 'hidden'],
});
