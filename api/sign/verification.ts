import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { notFound } from '../../shared/kernel/failure.ts';
import { says } from '../../shared/kernel/language.ts';
import { byId, id } from '../../shared/kernel/schema.ts';
import { type Storage, StoredFileMissing } from '../../shared/platform/storage/storage.ts';
import { sealCertificates } from '../../shared/sign/sealing/certificates.ts';
import { arriving, MOST_VERIFIED, storedGate } from '../../shared/sign/verifying/places.ts';
import { Verification } from '../../shared/sign/verifying/record.ts';
import { toVerify, verifyStored } from '../../shared/sign/verifying/stored.ts';
import { signaturesIn, verifyFile, verifyHash, verifyHead } from '../../shared/sign/verifying/verify.ts';
import { stepwise, write } from '../http/endpoint.ts';
import { file, upload } from '../http/files/declarations.ts';
import { writtenFile } from '../http/files/written.ts';

const Reply = z.strictObject({ verification: Verification });

const hash = () =>
  z
    .string()
    .regex(
      /^[0-9a-fA-F]{64}$/,
      says({ en: 'must be 64 hexadecimal digits', ja: 'は64桁の16進数で指定してください' }),
    )
    .transform((text) => text.toLowerCase())
    .meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] });

const verifying = {
  id: 'sign.verification.verify',
  method: 'post',
  path: '/api/v1/sign/verify',
  scope: 'public',
  summary: 'Verify a file, a hash or a certificate',
  reply: Reply,
} as const;

const byWords = write({
  ...verifying,
  body: z.union(
    [
      z.strictObject({ sha256: hash().describe('Of a file, in hexadecimal.') }),
      z.strictObject({
        document_id: id('doc'),
        head: hash().describe('A hash of its trail, as the code on the certificate has it.'),
      }),
    ],
    says({
      en: 'must have sha256, or document_id and head; a file is sent by a form as file',
      ja: 'には sha256、または document_id と head を指定してください。ファイルはフォームの file で送信できます',
    }),
  ),
  handle: async ({ body }, work) => {
    work.nothingChanged();
    const { connection } = work;
    return {
      verification:
        'sha256' in body
          ? await verifyHash(connection, body.sha256)
          : await verifyHead(connection, body.document_id, body.head),
    };
  },
});

/** What anybody may ask about what this service has sealed, and what members may ask of a document. */
export const verification = [
  upload({
    ...verifying,
    description:
      'By a form with the PDF as `file`, or by JSON with `sha256`, or with `document_id` and `head`. `valid`: byte for byte a sealed file; `modified`: a seal of this service whose file was changed; `original`: an upload as it was sent; `unlisted`: an intact seal of this service without a record; `unknown`: all else. No title, name or address is told, and nothing of the file is kept. Two files are verified at a time; then the answer is 503.',
    file: {
      field: 'file',
      limit: MOST_VERIFIED,
      keep: false,
      whole: true,
      accepts: ['pdf'],
      description: 'A PDF.',
    },
    or: byWords,
    raises: ['unavailable'],
    admit: async () => {
      const arrival = arriving();
      return {
        granted: arrival,
        keepUp: async (bytes) => arrival.grow(bytes),
        dismiss: async () => arrival.leave(),
      };
    },
    inspect: ({ file: { head }, signal }) => signaturesIn(head, signal),
    handle: async ({ file: { head }, inspected, granted }, work) => {
      work.nothingChanged();
      const found = await verifyFile(work.connection, head, inspected);
      granted.leave();
      return { verification: found };
    },
  }),
  file({
    id: 'sign.verification.certificates',
    path: '/api/v1/sign/seal-certificate',
    scope: 'public',
    summary: 'Download the certificates of seals',
    description:
      'PEM of every certificate that has sealed or seals now, each followed by its issuers, the newest first and 100 at most: to trust them elsewhere. 404 where there is none.',
    media_types: ['application/x-pem-file'],
    raises: ['not_found'],
    handle: async ({ seal }, { connection, now }) => {
      const text = await sealCertificates(connection, seal, now);
      if (text === '') throw notFound();
      const named = { file_name: 'seal-certificates.pem', media_type: 'application/x-pem-file' };
      return writtenFile({ ...named, text, created_at: now.toISOString() });
    },
  }),
  stepwise({
    id: 'sign.verification.document',
    method: 'get',
    path: '/api/v1/sign/documents/:id/verify',
    scope: 'sign:read',
    summary: 'Verify a document',
    description:
      'Computes its trail anew, each of its stored files and its seal: `valid`, or `modified` where one of them disagrees, with the `seq` of the first event that does not fit; `original` as long as it is not sealed.',
    params: byId('doc'),
    reply: Reply,
    handle: async ({ params }, { context, read }) => {
      const found = await read((reader) => toVerify(reader, params.id));
      return storedGate(async () => {
        const keys = found.stored.files.map(({ storage_key }) => storage_key);
        const contents = await Promise.all(
          keys.map(async (key) => [key, await bytesOf(context.storage, key)] as const),
        );
        return { verification: await read((reader) => verifyStored(reader, found, new Map(contents))) };
      });
    },
  }),
];

/** The bytes of a stored file; null where the store has none. */
async function bytesOf(storage: Storage, storage_key: string): Promise<Buffer | null> {
  try {
    return await buffer(await storage.read(storage_key));
  } catch (error) {
    if (error instanceof StoredFileMissing) return null;
    throw error;
  }
}
