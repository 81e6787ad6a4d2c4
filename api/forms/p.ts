import { z } from 'zod';
import { PublicForm, publicForm } from '../../shared/forms/forms/public.ts';
import { embedOrigins, publishedForm } from '../../shared/forms/forms/queries.ts';
import { formSlug } from '../../shared/forms/forms/record.ts';
import { openInvitation } from '../../shared/forms/invitations/open.ts';
import { OwnResponse, ShownEnding } from '../../shared/forms/responses/answered.ts';
import { GuestSubmissionInput } from '../../shared/forms/responses/input.ts';
import { receiptUrl } from '../../shared/forms/responses/links.ts';
import { type GuestSubmission, submitAsGuest, submittedBefore } from '../../shared/forms/responses/submit.ts';
import { issueFormToken } from '../../shared/forms/tokens/issue.ts';
import { visited } from '../../shared/forms/visits/visited.ts';
import { id } from '../../shared/kernel/schema.ts';
import { Answer } from '../http/declaration.ts';
import { read, write } from '../http/endpoint.ts';

const PATH = '/api/v1/forms/p/:orgSlug/:formSlug';

/** What every public call about a form is: for anybody, also for scripts of the sites that may show it. */
export const ofPublicForm = {
  scope: 'organization',
  params: z.strictObject({
    orgSlug: z
      .string()
      .describe('The slug of the organization.')
      .meta({ examples: ['yamada-shoji'] }),
    formSlug: formSlug().describe('The slug of the form.'),
  }),
  allows_origins: ({ formSlug }: Record<string, string>, reader: Parameters<typeof embedOrigins>[0]) =>
    embedOrigins(reader, formSlug ?? ''),
  is_unlimited: true,
} as const;

const BODY_LIMITS = { bytes: 1024 * 1024 };

const invitation = z
  .string()
  .max(100)
  .describe('The token of an invitation.')
  .meta({ examples: ['V2s9kq3nXb1rT7mZ0aYc4eHd6fJg8iLk5oPq2uRw3xE'] });

/** Why a form does not take a response of a guest. */
const CLOSED = ['form_not_open', 'form_closed', 'form_full', 'already_answered'] as const;

/** What guests read and submit who have nothing but the address of a form. */
export const p = [
  read({
    ...ofPublicForm,
    id: 'forms.public_forms.get',
    method: 'get',
    path: PATH,
    page: '/f/:orgSlug/:formSlug',
    summary: 'Read a published form',
    description: 'Under a former slug it answers 308 with the address under the present one.',
    query: z.strictObject({ invitation: invitation.optional() }),
    reply: z.strictObject({ form: PublicForm }),
    also: [308],
    handle: async ({ params, query, tallies }, reader) => {
      const answered = await publishedForm(reader, params.formSlug);
      const { form } = answered;
      if (query.invitation !== undefined) await openInvitation(reader, form.id, query.invitation);
      const is_invited = query.invitation !== undefined;
      const shown = { form: publicForm(answered, reader.now, { is_invited }) };
      if (form.slug === params.formSlug) {
        if (shown.form.accepting.open) visited(tallies, answered.form, { view: true });
        return shown;
      }
      const asked = new URLSearchParams(query).toString();
      const path = `/api/v1/forms/p/${params.orgSlug}/${form.slug}${asked && `?${asked}`}`;
      return new Answer(308, shown, { Location: path, 'Cache-Control': 'no-store' });
    },
  }),
  write({
    ...ofPublicForm,
    id: 'forms.form_tokens.create',
    method: 'post',
    path: `${PATH}/tokens`,
    summary: 'Get a form token',
    description:
      'It can be submitted for 24 hours, and the version that is published now judges the answers. Send `honeypot` as the name of an input that people do not see. With a `challenge` a response without its proof is flagged as spam.',
    body: z.strictObject({ invitation: invitation.optional() }),
    body_limits: BODY_LIMITS,
    status: 201,
    reply: z.strictObject({
      form_token: z
        .string()
        .meta({ examples: ['WzEsImZvcm0iXQ.V2s9kq3nXb1rT7mZ0aYc4eHd6fJg8iLk5oPq2uRw3xE'] }),
      honeypot: z.string().meta({ examples: ['more-3fa9c1d27b'] }),
      challenge: z
        .strictObject({
          salt: z.string().meta({ examples: ['demo'] }),
          bits: z.int().meta({ examples: [16] }),
        })
        .nullable()
        .describe('A number n is asked for such that SHA-256 of `salt:n` begins with so many zero bits.'),
    }),
    secrets: ['form_token'],
    raises: [...CLOSED, 'not_found'],
    handle: async ({ params, body, tallies }, work) => {
      work.nothingChanged();
      const answered = await publishedForm(work, params.formSlug);
      const { issued } = await issueFormToken(work, answered, { invitation: body.invitation ?? null });
      visited(tallies, answered.form, { start: true });
      return issued;
    },
  }),
  write({
    ...ofPublicForm,
    id: 'forms.public_responses.create',
    method: 'post',
    path: `${PATH}/responses`,
    summary: 'Submit a form as a guest',
    description:
      'A form token takes one response. Sent again with the same answers it answers the first result, before any Idempotency-Key. The input that is named as the honeypot stays empty.',
    body: GuestSubmissionInput,
    shares_commit: true,
    body_limits: BODY_LIMITS,
    status: 201,
    reply: z.strictObject({
      response: OwnResponse.extend({ id: id('resp') }),
      ending: ShownEnding.nullable().describe('null for the built-in thanks.'),
      receipt_url: z.string().meta({
        examples: ['https://service.example.co.jp/f/r/V2s9kq3nXb1rT7mZ0aYc4eHd6fJg8iLk5oPq2uRw3xE'],
      }),
    }),
    secrets: ['receipt_url'],
    renew: async ({ response }, work, { base_url }) => ({
      receipt_url: await receiptUrl(work, response as OwnResponse, base_url),
    }),
    repeats: ({ params, body, base_url }, work) => submittedBefore(work, params.formSlug, body, base_url),
    raises: [
      ...CLOSED,
      'already_submitted',
      'form_token_invalid',
      'form_token_expired',
      'rate_limited',
      'not_found',
    ],
    handle: ({ params, body, base_url, tallies }, work) => {
      const { form_token, data, hidden, locale = null, proof = null, ...beside } = body;
      const passed: GuestSubmission['passed'] = (form, reached) => visited(tallies, form, { reached });
      const sent = { form_token, data, hidden, locale, proof, beside, source: 'public' as const, passed };
      return submitAsGuest(work, params.formSlug, sent, base_url);
    },
  }),
];
