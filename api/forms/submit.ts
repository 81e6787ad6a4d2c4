import { z } from 'zod';
import { StaffSubmissionInput } from '../../shared/forms/responses/input.ts';
import { FormResponse } from '../../shared/forms/responses/record.ts';
import { submitAsStaff } from '../../shared/forms/responses/submit.ts';
import { byId } from '../../shared/kernel/schema.ts';
import { write } from '../http/endpoint.ts';

/** What members and keys submit. */
export const submit = [
  write({
    id: 'forms.responses.create',
    method: 'post',
    path: '/api/v1/forms/:id/responses',
    scope: 'forms:write',
    summary: 'Submit a form',
    description:
      'Judged as everywhere, without form token, invitation and spam guard. Quota and once per person hold as for guests.',
    params: byId('form'),
    body: StaffSubmissionInput,
    shares_commit: true,
    status: 201,
    reply: z.strictObject({ response: FormResponse }),
    raises: [
      'form_draft',
      'form_not_open',
      'form_closed',
      'form_full',
      'already_answered',
      'unknown_reference',
    ],
    handle: async ({ params, body: { data, hidden, locale = null, version = null } }, work) => ({
      response: await submitAsStaff(work, params.id, { data, hidden, locale, version }),
    }),
  }),
];
