import { z } from 'zod';
import { sendingEmail } from '../../shared/invoicing/actions/every-kind.ts';
import { type DocumentKind, documentKinds, kinds, oneOf } from '../../shared/invoicing/documents/kinds.ts';
import { documentSchemas } from '../../shared/invoicing/documents/shape.ts';
import { byId } from '../../shared/kernel/schema.ts';
import { JobResource } from '../../shared/platform/jobs/record.ts';
import { type Endpoint, write } from '../http/endpoint.ts';

const ISSUES = 'A draft is issued by it: it gets its number and can no longer be changed.';

const EFFECT: Record<DocumentKind, string> = {
  quotation: ISSUES,
  invoice: 'Once the mail server has taken it, an approved invoice is sent, with `invoice.sent`.',
  delivery_note: 'It must have been delivered.',
  purchase_order: ISSUES,
  credit_note: 'It goes to the contact of its invoice, else to the company.',
};

const QUEUED = {
  status: 'queued',
  to: ['hanako.yamada@example.co.jp'],
  last_error: null,
  at: '2026-04-01T01:20:00.000Z',
};

/** Mails with documents, the same for every kind. */
export const documentEmails: Endpoint[] = documentKinds.map((kind) => {
  const { path, prefix } = kinds[kind];
  const { scope, body, act } = sendingEmail(kind);
  return write({
    id: `invoicing.${path.replaceAll('-', '_')}.send_email`,
    method: 'post',
    path: `/api/v1/${path}/:id/send-email`,
    scope,
    summary: `Mail ${oneOf(kind)}`,
    description:
      `Sends a mail with the PDF. ${EFFECT[kind]} \`email\` of the document and the job say how the mail fares, and the ` +
      'audit log keeps to whom each was sent and how it ended: what the mail server refuses for now is tried again, and ' +
      'what it may have taken is never sent twice.',
    params: byId(prefix),
    body: body!,
    status: 202,
    reply: z.strictObject({ [kind]: documentSchemas[kind], job: JobResource }),
    example: { [kind]: { email: QUEUED } },
    raises: ['no_recipient', 'invalid_transition'],
    handle: async ({ params, body, mail_limits, bookkeeping, seal }, work) => {
      const { document, job } = await act(work, params.id, body, { mail_limits, bookkeeping, seal });
      return { [kind]: document, job };
    },
  });
});
