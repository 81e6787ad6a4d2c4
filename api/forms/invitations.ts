import { z } from 'zod';
import { storedForm } from '../../shared/forms/forms/queries.ts';
import { invitationPage } from '../../shared/forms/invitations/list.ts';
import { inviteToForm, revokeInvitation } from '../../shared/forms/invitations/operations.ts';
import { FormInvitation, InvitationsInput } from '../../shared/forms/invitations/record.ts';
import { byId, id } from '../../shared/kernel/schema.ts';
import { write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { resource } from '../http/resource.ts';
import { deleted } from '../http/schemas.ts';
import { PATH as FORMS } from './forms.ts';

const PATH = `${FORMS}/:id/invitations`;

const invitation = resource({
  id: 'forms.invitations',
  path: PATH,
  domain: 'forms',
  one: 'an invitation',
  prefix: 'finv',
});

/** The calls about who is invited to answer a form. */
export const invitations = [
  list({
    ...invitation.list,
    params: byId('form'),
    summary: 'List the invitations to a form',
    description:
      'Those that have ended too, with how far their mails came and what was answered. Their addresses are in the answer that made them alone.',
    item: FormInvitation,
    handle: async ({ params, window }, reader) => {
      await storedForm(reader, params.id);
      return invitationPage(reader, params.id, window);
    },
  }),
  write({
    ...invitation.create,
    summary: 'Invite people to answer a form',
    description:
      'Each by an address of their own, which takes one response. `url` is answered this once, since its token is kept by its hash alone; with `send` each is mailed theirs. They end at `expires_at`, when they are taken back, and when the form is archived.',
    params: byId('form'),
    body: InvitationsInput,
    reply: z.strictObject({
      invitations: z
        .array(
          FormInvitation.extend({
            url: z
              .string()
              .describe('The page of the form, for who is invited.')
              .meta({
                examples: [
                  'https://service.example.co.jp/f/yamada-shoji/visit?i=V2s9kq3nXb1rT7mZ0aYc4eHd6fJg8iLk5oPq2uRw3xE',
                ],
              }),
          }),
        )
        .describe('In the order of the recipients. null where the answer is repeated.'),
    }),
    secrets: ['invitations'],
    raises: ['form_draft', 'form_closed', 'rate_limited'],
    handle: async ({ params, body, base_url, mail_limits }, work) => ({
      invitations: await inviteToForm(work, params.id, body, { base_url, mail_limits }),
    }),
  }),
  write({
    ...invitation.delete,
    path: `${PATH}/:invitation_id`,
    params: z.object({ id: id('form'), invitation_id: id('finv') }),
    summary: 'Take an invitation back',
    description:
      'Its address opens nothing any more. It stays in the list with `revoked_at`, and its response stays.',
    handle: async ({ params }, work) => {
      await revokeInvitation(work, params.id, params.invitation_id);
      return deleted;
    },
  }),
];
