import { z } from 'zod';
import { byId, id } from '../../shared/kernel/schema.ts';
import { JobResource } from '../../shared/platform/jobs/record.ts';
import { SignDocument } from '../../shared/sign/documents/record.ts';
import { documentFor } from '../../shared/sign/documents/shown-to.ts';
import { refusalsOf } from '../../shared/sign/documents/transitions.ts';
import { CancelInput, cancelDocument } from '../../shared/sign/life/cancel.ts';
import { sealAgain } from '../../shared/sign/life/seal-again.ts';
import { sendDocument } from '../../shared/sign/life/send.ts';
import { RemindInput, remindByHand, skipCodes } from '../../shared/sign/reminders/by-hand.ts';
import { write } from '../http/endpoint.ts';

const PATH = '/api/v1/sign/documents/:id';

const Reply = z.strictObject({ document: SignDocument });

const Reminded = z.strictObject({
  document: SignDocument,
  reminded: z.array(id('signer')).describe('Who gets a mail.'),
  skipped: z
    .array(z.strictObject({ signer_id: id('signer'), code: z.enum(skipCodes) }))
    .describe('Who gets none, and why.')
    .meta({ examples: [[]] }),
  job: JobResource.describe('What asks for the mails; how far each one is, its signer says.'),
});

/** What staff do to documents from sending to their end. */
export const documentLife = [
  write({
    id: 'sign.documents.send',
    method: 'post',
    path: `${PATH}/send`,
    scope: 'sign:write',
    summary: 'Send a document for signing',
    description:
      'File and fields are frozen, and the first group gets a mail with a link each. What is missing is told all at once: 422 `not_sendable`. Where the settings say `approval_required`, it needs `approvals:write` too.',
    params: byId('doc'),
    reply: Reply,
    raises: [...refusalsOf('send'), 'not_sendable', 'seal_key_missing', 'seal_key_expired'],
    handle: async ({ params, seal }, work) => ({
      document: await documentFor(work, await sendDocument(work, params.id, seal)),
    }),
  }),
  write({
    id: 'sign.documents.cancel',
    method: 'post',
    path: `${PATH}/cancel`,
    scope: 'sign:write',
    summary: 'Cancel a document',
    description:
      'A draft, or what was sent while somebody has not signed. Those who had a mail are told, and nobody can sign any more.',
    params: byId('doc'),
    body: CancelInput,
    reply: Reply,
    raises: refusalsOf('cancel'),
    handle: async ({ params, body }, work) => ({
      document: await documentFor(work, await cancelDocument(work, params.id, body)),
    }),
  }),
  write({
    id: 'sign.documents.remind',
    method: 'post',
    path: `${PATH}/remind`,
    scope: 'sign:write',
    summary: 'Remind signers',
    description:
      'Signers whose turn has come get another mail with the same link, once an hour each; one whose last mail failed, or of which nobody knows, at any time. It does not count towards `max`, and the next reminder follows from today. Where all are skipped: 429 `too_soon`.',
    params: byId('doc'),
    body: RemindInput,
    status: 202,
    reply: Reminded,
    raises: [...refusalsOf('remind'), 'signing_expired', 'too_soon'],
    handle: async ({ params, body }, work) => {
      const { stored, ...answered } = await remindByHand(work, params.id, body);
      return { document: await documentFor(work, stored), ...answered };
    },
  }),
  write({
    id: 'sign.documents.seal',
    method: 'post',
    path: `${PATH}/seal`,
    scope: 'sign:write',
    summary: 'Seal a document again',
    description: 'One that all have signed and whose sealing failed.',
    params: byId('doc'),
    status: 202,
    reply: z.strictObject({ document: SignDocument, job: JobResource }),
    raises: refusalsOf('seal'),
    handle: async ({ params }, work) => {
      const { stored, job } = await sealAgain(work, params.id);
      return { document: await documentFor(work, stored), job };
    },
  }),
];
