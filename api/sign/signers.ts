import { z } from 'zod';
import { says } from '../../shared/kernel/language.ts';
import { email, id } from '../../shared/kernel/schema.ts';
import { name } from '../../shared/platform/access/names.ts';
import { hashPassword } from '../../shared/platform/access/passwords.ts';
import { SignDocument } from '../../shared/sign/documents/record.ts';
import { documentFor } from '../../shared/sign/documents/shown-to.ts';
import { refusalsOf } from '../../shared/sign/documents/transitions.ts';
import { replaceSigner } from '../../shared/sign/life/replace.ts';
import { unlockSigner } from '../../shared/sign/life/unlock.ts';
import { write } from '../http/endpoint.ts';

const PATH = '/api/v1/sign/documents/:id/signers/:signer_id';

const params = z.object({ id: id('doc'), signer_id: id('signer') });

const Reply = z.strictObject({ document: SignDocument });

const ReplaceInput = z.strictObject({
  name: name(100).meta({ examples: ['鈴木 一郎'] }),
  email: email(),
  access_code: z
    .string()
    .regex(
      /^[\x21-\x7e]{4,32}$/,
      says({
        en: 'must be 4 to 32 visible ASCII characters',
        ja: 'は4〜32文字の半角英数字と記号で指定してください',
      }),
    )
    .describe('A code of their own; the one that was set stays unless said.')
    .meta({ examples: ['7Q4K-92'] })
    .optional(),
});

/** What staff do to one signer of a document that was sent. */
export const documentSigners = [
  write({
    id: 'sign.documents.replace_signer',
    method: 'post',
    path: `${PATH}/replace`,
    scope: 'sign:write',
    summary: 'Put somebody else in the place of a signer',
    description:
      'One who has not signed. The old link is dead at once, the values are cleared, and who is in turn gets a mail with a new link.',
    params,
    body: ReplaceInput,
    reply: Reply,
    raises: [...refusalsOf('replace'), 'signing_expired'],
    prepare: async ({ body }) => (body.access_code ? hashPassword(body.access_code) : undefined),
    handle: async ({ params: { id: document_id, signer_id }, body, prepared }, work) => {
      const person = {
        name: body.name,
        email: body.email,
        ...(prepared !== undefined && { access_code_hash: prepared }),
      };
      return { document: await documentFor(work, await replaceSigner(work, document_id, signer_id, person)) };
    },
  }),
  write({
    id: 'sign.documents.unlock_signer',
    method: 'post',
    path: `${PATH}/unlock`,
    scope: 'sign:write',
    summary: 'Unlock a signer',
    description:
      'One in turn whom wrong codes have locked out; the tries begin anew. Where nothing is locked, nothing changes.',
    params,
    reply: Reply,
    raises: [...refusalsOf('unlock'), 'signing_expired'],
    handle: async ({ params: { id: document_id, signer_id } }, work) => ({
      document: await documentFor(work, await unlockSigner(work, document_id, signer_id)),
    }),
  }),
];
