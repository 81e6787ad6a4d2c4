import { z } from 'zod';
import { peopleFollowers } from '../../shared/domains.ts';
import { byId } from '../../shared/kernel/schema.ts';
import {
  inviteMember,
  resendInvitation,
  revokeInvitation,
} from '../../shared/platform/access/invitations/operations.ts';
import { invitationById, invitationPage } from '../../shared/platform/access/invitations/queries.ts';
import { Invitation, InvitationInput } from '../../shared/platform/access/invitations/record.ts';
import { Member } from '../../shared/platform/access/members/record.ts';
import { accountEmail, name } from '../../shared/platform/access/names.ts';
import { Organization } from '../../shared/platform/access/organizations/record.ts';
import { accountByEmail } from '../../shared/platform/access/users/queries.ts';
import { invitationLinks } from '../../shared/platform/mailer/invitation-tokens.ts';
import { LinkToken } from '../auth/password.ts';
import { read, stepwise, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { Deleted, deleted } from '../http/schemas.ts';
import { accept, openInvitationLink, requireOpenInvitation } from './accept.ts';

/** An invitation as who was invited sees it: without IDs of the organization. */
const OpenInvitation = z
  .strictObject({
    organization_name: Organization.shape.name,
    email: z.string().meta({ examples: ['taro.tanaka@example.co.jp'] }),
    role: Invitation.shape.role,
    invited_by: z
      .string()
      .describe('The name of the person who invited.')
      .meta({ examples: ['田中 太郎'] }),
    expires_at: Invitation.shape.expires_at,
    has_account: z
      .boolean()
      .describe(
        'true: accepting needs the password of the account with this address. false: a name, and a new password.',
      )
      .meta({ examples: [false] }),
  })
  .meta({ id: 'OpenInvitation' });

const InvitationReply = z.strictObject({ invitation: Invitation });

export const invitations = [
  list({
    id: 'invitations.list',
    path: '/api/v1/invitations',
    scope: 'settings:write',
    session: true,
    summary: 'List invitations',
    description:
      'A pending one whose seven days are over is shown as `expired`; it can be sent again. The links are in the mails alone.',
    item: Invitation,
    filters: z.object({ status: Invitation.shape.status.optional(), email: accountEmail().optional() }),
    handle: ({ filters, window }, reader) => invitationPage(reader, filters, window),
  }),
  read({
    id: 'invitations.get',
    method: 'get',
    path: '/api/v1/invitations/:id',
    scope: 'settings:write',
    session: true,
    summary: 'Read an invitation',
    description: 'Without its link, which is in the mail alone.',
    params: byId('invt'),
    reply: InvitationReply,
    handle: async ({ params }, reader) => ({ invitation: await invitationById(reader, params.id) }),
  }),
  write({
    id: 'invitations.create',
    method: 'post',
    path: '/api/v1/invitations',
    scope: 'settings:write',
    session: true,
    summary: 'Invite somebody',
    description:
      'A mail with a link goes to the address. The link is in no answer. It ends when you leave or may no longer give the role. An address gets 5 invitations in 24 hours, from all organizations together.',
    body: InvitationInput,
    status: 201,
    reply: InvitationReply,
    raises: ['already_exists'],
    handle: async ({ body, mail_limits }, work) => ({
      invitation: await inviteMember(work, body, mail_limits, peopleFollowers),
    }),
  }),
  write({
    id: 'invitations.resend',
    method: 'post',
    path: '/api/v1/invitations/:id/resend',
    scope: 'settings:write',
    session: true,
    summary: 'Send an invitation again',
    description:
      'It runs for another seven days, also when it had expired. The link of the new mail is the only one that works. It counts like a new invitation of its address.',
    params: byId('invt'),
    reply: InvitationReply,
    raises: ['invalid_transition'],
    handle: async ({ params, mail_limits }, work) => ({
      invitation: await resendInvitation(work, params.id, mail_limits),
    }),
  }),
  write({
    id: 'invitations.revoke',
    method: 'delete',
    path: '/api/v1/invitations/:id',
    scope: 'settings:write',
    session: true,
    summary: 'Take an invitation back',
    description:
      'Its link stops working at once. It stays in the list as `revoked`; an accepted one is `invalid_transition`, and its member stays.',
    params: byId('invt'),
    reply: Deleted,
    raises: ['invalid_transition'],
    handle: async ({ params }, work) => {
      await revokeInvitation(work, params.id, peopleFollowers);
      return deleted;
    },
  }),
  read({
    id: 'invitations.open',
    method: 'get',
    path: '/api/v1/invitation-links/:token',
    scope: 'link',
    link: invitationLinks,
    summary: 'Read the invitation of a link',
    description:
      'For pages of your own, before `POST /invitations/accept`: what the link of the mail invites to, and what accepting it needs. It uses nothing up.',
    params: z.strictObject({ token: LinkToken }),
    reply: z.strictObject({ invitation: OpenInvitation }),
    raises: ['invalid_transition'],
    handle: async ({ link }, reader) => {
      const found = await requireOpenInvitation(reader, link!);
      const { organization_name, email, role, invited_by, expires_at } = found;
      const account = await accountByEmail(reader.connection, email);
      const has_account = account?.email_verified ?? false;
      return { invitation: { organization_name, email, role, invited_by, expires_at, has_account } };
    },
  }),
  stepwise({
    id: 'invitations.accept',
    method: 'post',
    path: '/api/v1/invitations/accept',
    scope: 'visitor',
    summary: 'Accept an invitation',
    description:
      'Signed in, the token is enough. Otherwise `password` signs in, or signs up with `name` where the invited address has no account. The answer sets the session cookie.',
    body: z.strictObject({
      token: LinkToken,
      name: name(100)
        .meta({ examples: ['田中 太郎'] })
        .optional(),
      password: z
        .string()
        .max(128)
        .meta({ examples: ['correct horse battery staple'] })
        .optional(),
    }),
    reply: z.strictObject({ organization: Organization, member: Member }),
    raises: [
      'expired',
      'invalid_transition',
      'wrong_account',
      'invalid_credentials',
      'already_exists',
      'not_found',
    ],
    handle: async ({ body: { token, ...input }, client }, steps) => {
      const link = await openInvitationLink(steps, token);
      return accept(steps, client, link, { ...input, locale: 'ja' });
    },
  }),
];
