import { z } from 'zod';
import { TenantModel } from '../../../db/model.ts';
import { factsOf } from '../../../kernel/fact.ts';
import { id, timestamp } from '../../../kernel/schema.ts';
import { roles } from '../../../kernel/scope.ts';

/** What a person is in an organization. */
export const RoleName = z.enum(roles).describe('From the most to the least powerful.');

/** A person in an organization, as the API shows one; who left stays, with `left_at`. */
export const Member = z
  .strictObject({
    id: id('mbr'),
    object: z.literal('member'),
    user_id: id('usr'),
    name: z.string().meta({ examples: ['山田 花子'] }),
    email: z.string().meta({ examples: ['hanako.yamada@example.co.jp'] }),
    role: RoleName,
    joined_at: timestamp(),
    left_at: timestamp().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Member' });

export type Member = z.output<typeof Member>;

/** What a change of a member may hold. */
export const MemberPatch = z.strictObject({ role: RoleName }).partial().meta({ id: 'MemberPatch' });

export type MemberPatch = z.output<typeof MemberPatch>;

export class MemberModel extends TenantModel {
  static override tableName = 'members';
}

export const memberFacts = factsOf({
  domain: 'platform',
  entity_type: 'member',
  computed: ['name', 'email'],
});
