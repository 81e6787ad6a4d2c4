import { z } from 'zod';
import { peopleFollowers } from '../../shared/domains.ts';
import { byId, id } from '../../shared/kernel/schema.ts';
import { removeMember, updateMember } from '../../shared/platform/access/members/operations.ts';
import { memberById, memberPage } from '../../shared/platform/access/members/queries.ts';
import { Member, MemberPatch, RoleName } from '../../shared/platform/access/members/record.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { Deleted, deleted } from '../http/schemas.ts';

const MemberReply = z.strictObject({ member: Member });

export const members = [
  list({
    id: 'members.list',
    path: '/api/v1/members',
    scope: 'any',
    summary: 'List members',
    description: 'Who has left is listed too, with `left_at`: their name stands on what they made.',
    item: Member,
    filters: z.object({
      status: z.enum(['present', 'left']).optional(),
      role: RoleName.optional(),
      user_id: id('usr').optional(),
    }),
    sorts: ['joined_at'],
    handle: ({ filters, window }, reader) => memberPage(reader, filters, window),
  }),
  read({
    id: 'members.get',
    method: 'get',
    path: '/api/v1/members/:id',
    scope: 'any',
    summary: 'Read a member',
    description: 'Who has left is found too, with `left_at`.',
    params: byId('mbr'),
    reply: MemberReply,
    handle: async ({ params }, reader) => ({ member: await memberById(reader, params.id) }),
  }),
  write({
    id: 'members.update',
    method: 'patch',
    path: '/api/v1/members/:id',
    scope: 'settings:write',
    session: true,
    summary: 'Change the role of a member',
    description: 'Owners may give any role to anybody, admins those below their own to members below them.',
    params: byId('mbr'),
    body: MemberPatch,
    reply: MemberReply,
    raises: ['last_owner'],
    handle: async ({ params, body }, work) => ({
      member: await updateMember(work, params.id, body, peopleFollowers),
    }),
  }),
  write({
    id: 'members.remove',
    method: 'delete',
    path: '/api/v1/members/:id',
    scope: 'any',
    session: true,
    summary: 'Remove a member, or leave',
    description:
      'Everybody may leave; owners and admins remove members below them. The keys of who leaves are revoked, and their sessions in this organization end.',
    params: byId('mbr'),
    reply: Deleted,
    raises: ['last_owner', 'insufficient_scope'],
    handle: async ({ params }, work) => {
      await removeMember(work, params.id, peopleFollowers);
      return deleted;
    },
  }),
];
