import { z } from 'zod';
import { createMember, updateMember, updateRole } from '../../shared/attendance/members/operations.ts';
import { memberById, memberPage } from '../../shared/attendance/members/queries.ts';
import {
  AttendanceMember,
  Colleague,
  MemberInput,
  MemberPatch,
  memberKind,
  memberStatuses,
} from '../../shared/attendance/members/record.ts';
import { peopleFollowers } from '../../shared/domains.ts';
import { id } from '../../shared/kernel/schema.ts';
import { RoleName } from '../../shared/platform/access/members/record.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { manyOf } from '../http/look-ups.ts';
import { FIELDS_SENT, resource } from '../http/resource.ts';

const PATH = '/api/v1/attendance/members';

const member = resource({
  id: 'attendance.members',
  path: PATH,
  domain: 'attendance',
  one: 'a member',
  prefix: 'mem',
});

const MemberReply = z.strictObject({ member: AttendanceMember });

export const members = [
  list({
    ...member.list,
    summary: 'List members',
    description:
      'Whole are those whose days you may read: all for owners and admins, the departments that they manage with all below for managers, and yourself. Of other active members you see `id`, `name` and `department_id`, and find them by these alone. `search` looks at names, addresses and codes.',
    item: z.union([AttendanceMember, Colleague]),
    looked_up: memberKind,
    filters: z.object({
      search: z.string().max(200).optional(),
      department_id: id('dept').describe('A department with all below it.').optional(),
      status: manyOf(z.enum(memberStatuses))
        .describe('One of invited, active, left, or several with commas between.')
        .meta({ examples: ['active,invited'] })
        .optional(),
    }),
    sorts: ['name', 'employee_code'],
    handle: ({ filters, window }, reader) => memberPage(reader, filters, window),
  }),
  write({
    id: 'attendance.members.update_role',
    method: 'patch',
    path: `${PATH}/update-role`,
    scope: 'attendance:write',
    session: true,
    summary: 'Change the role of a member',
    description:
      'As `PATCH /members/{id}` does with the membership: owners may give any role to anybody, admins those below their own.',
    body: z.strictObject({ member_id: id('mem'), role: RoleName }),
    reply: MemberReply,
    raises: ['role_required', 'unknown_reference', 'no_account', 'last_owner', 'insufficient_scope'],
    handle: async ({ body }, work) => ({ member: await updateRole(work, body, peopleFollowers) }),
  }),
  read({
    ...member.get,
    description: 'Of one whose days you may read; others are 404.',
    reply: MemberReply,
    handle: async ({ params }, reader) => ({ member: await memberById(reader, params.id) }),
  }),
  write({
    ...member.create,
    summary: 'Add a member without an account',
    description:
      'For who is not to sign in, or not yet: an invitation of the same address leads to this member. Owners and admins do this.',
    body: MemberInput,
    reply: MemberReply,
    raises: ['role_required', 'already_exists', 'unknown_reference'],
    handle: async ({ body }, work) => ({ member: await createMember(work, body) }),
  }),
  write({
    ...member.update,
    description: `${FIELDS_SENT} \`left_on\` ends the membership by itself after that day, but not that of the last owner.`,
    body: MemberPatch,
    reply: MemberReply,
    raises: ['role_required', 'already_exists', 'unknown_reference', 'email_of_account', 'month_locked'],
    handle: async ({ params, body }, work) => ({ member: await updateMember(work, params.id, body) }),
  }),
];
