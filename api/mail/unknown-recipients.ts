import { z } from 'zod';
import { byId } from '../../shared/kernel/schema.ts';
import { shownCampaign } from '../../shared/mail/campaigns/queries.ts';
import { Campaign } from '../../shared/mail/campaigns/record.ts';
import { refusalsOf } from '../../shared/mail/campaigns/transitions.ts';
import { decideUnknown, UnknownInput, unknownChoices } from '../../shared/mail/campaigns/unknown.ts';
import { write } from '../http/endpoint.ts';

export const unknownRecipients = [
  write({
    id: 'mail.campaigns.unknown',
    method: 'post',
    path: '/api/v1/mail/campaigns/:id/unknown',
    scope: 'mail:write',
    summary: 'Settle unknown recipients',
    description:
      'Of recipients whose status is `unknown` nobody knows whether the mail arrived: the connection broke while the server took it. Nothing sends them the mail again by itself. `resend` queues them, and a campaign that has ended sends again; `accept` takes them to be sent, with the reason `accepted_by_hand`. Of more than 1,000 the first are settled at once, the others soon after.',
    params: byId('camp'),
    body: UnknownInput,
    reply: z.strictObject({ campaign: Campaign }),
    raises: ['unknown_reference', ...unknownChoices.flatMap((choice) => refusalsOf(`${choice}_unknown`))],
    handle: async ({ params, body, mail_limits }, work) => ({
      campaign: await shownCampaign(work, await decideUnknown(work, params.id, body), mail_limits),
    }),
  }),
];
