import { z } from 'zod';
import { alreadyExists, refusesBy } from '../../../db/constraint.ts';
import { TenantModel } from '../../../db/model.ts';
import { factsOf } from '../../../kernel/fact.ts';
import { id, timestamp } from '../../../kernel/schema.ts';
import { RoleName } from '../members/record.ts';
import { accountEmail } from '../names.ts';

/** What became of the message that tells an invited person of the mail, where one was asked for. */
export const deliveryStatuses = ['queued', 'sent', 'already_member', 'not_found', 'failed'] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** An invitation, as the API shows it; the token is in its mail alone. */
export const Invitation = z
  .strictObject({
    id: id('invt'),
    object: z.literal('invitation'),
    email: z
      .string()
      .nullable()
      .describe('null while the address of `slack_user_id` is being looked for.')
      .meta({ examples: ['taro.tanaka@example.co.jp'] }),
    role: RoleName,
    slack_user_id: z
      .string()
      .nullable()
      .describe('The account of Slack that is told of the mail; null where none is, or none is known yet.')
      .meta({ examples: ['U012AB3CD'] }),
    delivery_status: z
      .enum(deliveryStatuses)
      .nullable()
      .describe(
        'What became of the message in Slack: `already_member` and `not_found` where there was nobody to send it to, `failed` also where it may have arrived. null for invitations by mail alone.',
      )
      .meta({ examples: [null] }),
    status: z.enum(['pending', 'accepted', 'revoked', 'expired']),
    expires_at: timestamp().describe('Seven days after it was sent last.'),
    invited_by: id('usr'),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Invitation' });

export type Invitation = z.output<typeof Invitation>;

/** What a new invitation is made from. */
export const InvitationInput = z
  .strictObject({
    email: accountEmail(),
    role: RoleName.describe("Below the inviter's own; owners may give any."),
  })
  .meta({ id: 'InvitationInput' });

export type InvitationInput = z.output<typeof InvitationInput>;

export class InvitationModel extends TenantModel {
  static override tableName = 'invitations';
}

export const invitationFacts = factsOf({ domain: 'platform', entity_type: 'invitation' });

refusesBy('invitations_slack_pending_once', () =>
  alreadyExists('/slack_user_ids', {
    en: 'One of these people has an open invitation; send it again instead',
    ja: 'この中に有効な招待のある人がいます。その招待を再送してください',
  }),
);

refusesBy('invitations_pending_once', () =>
  alreadyExists('/email', {
    en: 'This address has an open invitation; send it again instead',
    ja: 'このアドレスには有効な招待があります。再送してください',
  }),
);
