import { z } from 'zod';
import { byId } from '../../shared/kernel/schema.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { askForTests, MailTestInput } from '../../shared/mail/campaigns/ask-for-tests.ts';
import { previewTo } from '../../shared/mail/campaigns/mail.ts';
import { campaignById } from '../../shared/mail/campaigns/queries.ts';
import { campaignMail } from '../../shared/mail/campaigns/sender.ts';
import { MailPreview, MailPreviewInput } from '../../shared/mail/content/preview.ts';
import { previewTemplate } from '../../shared/mail/templates/preview.ts';
import { JobResource } from '../../shared/platform/jobs/record.ts';
import { write } from '../http/endpoint.ts';

const PATH = '/api/v1/mail/campaigns/:id';

/** What a preview is asked for with. */
type Asked = {
  params: { id: string };
  body?: z.output<typeof MailPreviewInput> | undefined;
  base_url: string;
};

/** The mail of a contact is stored nowhere, under no Idempotency-Key either: it is made anew. */
async function campaignPreview(work: Work, { params, body, base_url }: Asked) {
  const campaign = await campaignById(work, params.id);
  const to = { contact_id: body?.contact_id ?? null, base_url };
  return { preview: await previewTo(work, await campaignMail(work, campaign), to) };
}

async function templatePreview(work: Work, { params, body, base_url }: Asked) {
  const to = { contact_id: body?.contact_id ?? null, base_url };
  return { preview: await previewTemplate(work, params.id, to) };
}

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
    secrets: ['preview'],
    renew: (_, work, input) => campaignPreview(work, input),
    raises: ['unknown_reference'],
    async handle(input, work) {
      work.nothingChanged();
      return campaignPreview(work, input);
    },
  }),
  write({
    id: 'mail.templates.preview',
    method: 'post',
    path: '/api/v1/mail/templates/:id/preview',
    scope: 'mail:read',
    summary: 'See a mail of a template',
    description:
      'As a campaign made from it would send it now: to a contact, or to nobody in particular. Nothing is kept, and the addresses in it open nothing.',
    params: byId('mtpl'),
    body: MailPreviewInput.optional(),
    reply: z.strictObject({ preview: MailPreview }),
    secrets: ['preview'],
    renew: (_, work, input) => templatePreview(work, input),
    raises: ['unknown_reference'],
    async handle(input, work) {
      work.nothingChanged();
      return templatePreview(work, input);
    },
  }),
  write({
    id: 'mail.campaigns.test',
    method: 'post',
    path: `${PATH}/test`,
    scope: 'mail:write',
    status: 202,
    summary: 'Send test mails of a campaign',
    description:
      'To each of the addresses, with `[テスト]` or `[TEST]` before the subject. They are counted nowhere, and their links to unsubscribe change nothing. At most 50 an hour. The job ends when all were sent.',
    params: byId('camp'),
    body: MailTestInput,
    reply: z.strictObject({ job: JobResource }),
    raises: ['unknown_reference', 'suppressed', 'rate_limited'],
    handle: async ({ params, body }, work) => ({ job: await askForTests(work, params.id, body) }),
  }),
];
