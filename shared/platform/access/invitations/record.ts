import { z } from 'zod';
import { alreadyExists, refusesBy } from '../../../db/constraint.ts';
import { TenantModel } from '../../../db/model.ts';
import { factsOf } from '../../../kernel/fact.ts';
import { id, timestamp } from '../../../kernel/schema.ts';
import { RoleName } from '../members/record.ts';
import { accountEmail } from '../names.ts';

/** An invitation, as the API shows it; the token is in its mail alone. */
export const Invitation = z
  .strictObject({
    id: id('invt'),
    object: z.literal('invitation'),
    email: z.string().meta({ examples: ['taro.tanaka@example.co.jp'] }),
    role: RoleName,
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

refusesBy('invitations_pending_once', () =>
  alreadyExists('/email', {
    en: 'This address has an open invitation; send it again instead',
    ja: 'このアドレスには有効な招待があります。再送してください',
  }),
);
