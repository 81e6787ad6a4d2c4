import { z } from 'zod';
import { deletePartial } from '../../shared/forms/partials/end.ts';
import { partialLinks } from '../../shared/forms/partials/link.ts';
import { savedPartial } from '../../shared/forms/partials/queries.ts';
import { Partial } from '../../shared/forms/partials/record.ts';
import { changePartial, savePartial } from '../../shared/forms/partials/save.ts';
import { GuestSubmissionInput } from '../../shared/forms/responses/input.ts';
import { read, write } from '../http/endpoint.ts';
import { Deleted, deleted } from '../http/schemas.ts';
import { ofPublicForm } from './p.ts';

const BODY_LIMITS = { bytes: 1024 * 1024 };

const { form_token, hidden, locale } = GuestSubmissionInput.shape;

const data = z
  .record(z.string(), z.unknown())
  .describe('The answers so far. They are judged when they are submitted.')
  .meta({ examples: [{ kind: 'repair' }] });

/** What every call about a saved partial is: for who has its link. */
const ofPartial = {
  scope: 'link',
  link: partialLinks,
  path: '/api/v1/forms/partials/:token',
  params: z.strictObject({
    token: z
      .string()
      .describe('The token of the partial.')
      .meta({ examples: ['5f0c6b1d7a9e4c3b8f2d1e0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a1b0c'] }),
  }),
} as const;

const Reply = z.strictObject({ partial: Partial });

/** What guests save to go on later. */
export const partials = [
  write({
    ...ofPublicForm,
    id: 'forms.partials.create',
    method: 'post',
    path: '/api/v1/forms/p/:orgSlug/:formSlug/partials',
    summary: 'Save answers to go on later',
    description:
      'For as many days as the form says, with the files that they name; the submission of the form token ends them, and a sixth time with one form token the first. `token` opens them, and is told this once.',
    body: z.strictObject({ form_token, data, hidden, locale }),
    body_limits: BODY_LIMITS,
    status: 201,
    reply: z.strictObject({
      partial: Partial.extend({
        token: z
          .string()
          .meta({ examples: ['5f0c6b1d7a9e4c3b8f2d1e0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a1b0c'] }),
      }),
    }),
    secrets: ['partial.token'],
    raises: [
      'form_not_open',
      'form_closed',
      'form_full',
      'not_offered',
      'form_token_invalid',
      'form_token_expired',
      'already_submitted',
      'body_too_large',
      'rate_limited',
      'not_found',
    ],
    handle: async ({ params, body, base_url }, work) => ({
      partial: await savePartial(work, params.formSlug, body, base_url),
    }),
  }),
  read({
    ...ofPartial,
    id: 'forms.partials.get',
    method: 'get',
    summary: 'Read saved answers',
    description:
      'As they were sent. 404 when their days are over, and when the form is submitted or archived.',
    reply: Reply,
    handle: async ({ link }, reader) => ({ partial: await savedPartial(reader, link!.record_id) }),
  }),
  write({
    ...ofPartial,
    id: 'forms.partials.update',
    method: 'put',
    summary: 'Save other answers in their place',
    description:
      'Their days begin anew. With a `form_token` they go on with that token, and with its version of the form.',
    body: z.strictObject({ form_token: form_token.optional(), data, hidden, locale }),
    body_limits: BODY_LIMITS,
    reply: Reply,
    raises: ['form_token_invalid', 'form_token_expired', 'already_submitted', 'body_too_large'],
    handle: async ({ link, body }, work) => ({
      partial: await changePartial(work, link!.record_id, body),
    }),
  }),
  write({
    ...ofPartial,
    id: 'forms.partials.delete',
    method: 'delete',
    summary: 'Delete saved answers',
    description: 'Their link ends, and files that they alone name go.',
    reply: Deleted,
    handle: async ({ link }, work) => {
      await deletePartial(work, link!.record_id);
      return deleted;
    },
  }),
];
