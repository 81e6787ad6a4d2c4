import { z } from 'zod';
import { requestErasure } from '../../shared/forms/erasing/erasure.ts';
import { removeResponse } from '../../shared/forms/responses/remove.ts';
import { email, id } from '../../shared/kernel/schema.ts';
import { acceptedAs } from '../http/accepted.ts';
import { write } from '../http/endpoint.ts';
import { Deleted, deleted, JobReply } from '../http/schemas.ts';

/** What removes answers for good. */
export const erasing = [
  write({
    id: 'forms.responses.delete',
    method: 'delete',
    path: '/api/v1/forms/:id/responses/:response_id',
    scope: 'forms:write',
    summary: 'Delete a response',
    description:
      'With its files, and with export files of the form. Its event keeps `id`, `form_id`, `submitted_at` and `erased: true`. It makes room for another response.',
    params: z.strictObject({ id: id('form'), response_id: id('resp') }),
    reply: Deleted,
    handle: async ({ params }, work) => {
      await removeResponse(work, params);
      return deleted;
    },
  }),
  write({
    id: 'forms.responses.erase',
    method: 'post',
    path: '/api/v1/forms/erase',
    scope: 'forms:write',
    domain_scope: 'settings:write',
    summary: 'Erase what somebody answered',
    description:
      'Every response of the organization that has the address among its e-mail answers goes, with its files, saved partials, kept answers and export files; invitations to the address end and forget whom they were for. `dry_run` counts them only. The `result` of the job has `response_count`, `file_count`, `partial_count`, `invitation_count`, the `fields` in which the address stood, and `crm_records`, which stay.',
    body: z.strictObject({
      email: email().describe('Whose answers; compared without regard to case and width.'),
      dry_run: z
        .boolean()
        .describe('Whether nothing is to be erased.')
        .meta({ examples: [true] })
        .optional(),
    }),
    status: 202,
    reply: JobReply,
    handle: async ({ body }, work) => {
      const { email: address, dry_run = false } = body;
      return acceptedAs(requestErasure(work, { email: address, dry_run }));
    },
  }),
];
