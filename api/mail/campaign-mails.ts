import { z } from 'zod';
import { byId } from '../../shared/kernel/schema.ts';
import { previewTo } from '../../shared/mail/campaigns/mail.ts';
import { campaignById } from '../../shared/mail/campaigns/queries.ts';
import { campaignMail } from '../../shared/mail/campaigns/sender.ts';
import { MailPreview, MailPreviewInput } from '../../shared/mail/content/preview.ts';
import { write } from '../http/endpoint.ts';

const PATH = '/api/v1/mail/campaigns/:id';

export const campaignMails = [
  write({
    id: 'mail.campaigns.preview',
    method: 'post',
    path: `${PATH}/preview`,
    scope: 'mail:read',
    summary: 'See a mail of a campaign before it is sent',
    description:
      'As a contact would get it, or nobody in particular: then every fallback stands there. Nothing is kept, and the addresses in it change nothing.',
    params: byId('camp'),
    body: MailPreviewInput.optional(),
    reply: z.strictObject({ preview: MailPreview }),
    raises: ['unknown_reference'],
    async handle({ params, body, base_url }, work) {
      work.nothingChanged();
      const campaign = await campaignById(work, params.id);
      const to = { contact_id: body?.contact_id ?? null, base_url };
      return { preview: await previewTo(work, await campaignMail(work, campaign), to) };
    },
  }),
];
