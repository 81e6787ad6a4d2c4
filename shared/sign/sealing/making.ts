import { buffer } from 'node:stream/consumers';
import type { Storage } from '../../platform/storage/storage.ts';
import type { Certificate } from '../certificate/contents.ts';
import { certificateOf } from '../certificate/contents.ts';
import type { FileRow } from '../documents/rows.ts';
import { shownValue } from '../documents/shown.ts';
import { reasonsOfSign } from '../failure-reasons.ts';
import type { PlacedValue } from '../pdf/types.ts';
import { sha256Of } from '../pki/certificates.ts';
import type { Prepared } from './preparing.ts';
import { type Sealed, type Sealer, sealFile } from './sealed-file.ts';

/** A sealed file before it is in the store. */
export type MadeFile = Sealed & { kind: 'signed' | 'certificate'; file_name: string };

export type Making = {
  storage: Storage;
  base_url: string;
  /** The PDF of a certificate. */
  render: (certificate: Certificate) => Promise<Buffer>;
};

/** The stored bytes are not those that were uploaded. */
export class DamagedUpload extends Error {
  override name = 'DamagedUpload';
}

/**
 * Makes the sealed files of a document. The certificate stands behind the pages of the upload, with the trail attached; an upload that
 * came with signatures is only appended to, and certificate and trail become a second file, which names the first one's
 * hash. Errors: those of `sealFile` and of `render`; `DamagedUpload`.
 */
export async function makeSealed(
  { storage, base_url, render }: Making,
  prepared: Prepared,
  sealer: Sealer,
): Promise<MadeFile[]> {
  const { document, fields, files } = prepared.stored;
  const original = files.find(({ kind }) => kind === 'original')!;
  const attachment = trailFile(prepared);
  const certificate = (sealed_sha256: string | null) =>
    render(certificateOf({ ...prepared, base_url, attachment_name: attachment.name, sealed_sha256 }));
  const field = `Seal_${document.id}`;
  const values = Object.fromEntries(fields.map((row) => [row.id, shownValue(row) as PlacedValue | null]));
  const drawing = { fields, values, is_signed: original.has_signatures };
  if (!original.has_signatures) {
    const [pdf, append] = await Promise.all([uploadOf(storage, original), certificate(null)]);
    const sealed = await sealFile({ drawing: { ...drawing, pdf, append, attachment }, field }, sealer);
    return [{ ...sealed, kind: 'signed', file_name: signedName(original) }];
  }
  const upload = await uploadOf(storage, original);
  const whole = { ...drawing, pdf: upload, append: null, attachment: null };
  const signed = await sealFile({ drawing: whole, field }, sealer);
  const pdf = await certificate(sha256Of(signed.bytes));
  const alone = { pdf, append: null, attachment, fields: [], values: {}, is_signed: false };
  const second = await sealFile({ drawing: alone, field }, sealer);
  return [
    { ...signed, kind: 'signed', file_name: signedName(original) },
    { ...second, kind: 'certificate', file_name: certificateName(original) },
  ];
}

/** The trail as it is attached: whoever has the file can compute each hash anew. */
function trailFile({ stored: { document }, events }: Prepared) {
  const { hash: head, at } = events.at(-1)!;
  return {
    name: `audit-trail-${document.id}.json`,
    description: document.title,
    media_type: 'application/json',
    content: Buffer.from(JSON.stringify({ document_id: document.id, head, events })),
    at,
  };
}

async function uploadOf(storage: Storage, { storage_key, sha256 }: FileRow): Promise<Buffer> {
  const upload = await buffer(await storage.read(storage_key));
  if (sha256Of(upload) !== sha256) throw new DamagedUpload(reasonsOfSign.damaged().en);
  return upload;
}

const bare = ({ file_name }: FileRow) => file_name.replace(/\.pdf$/i, '');

function signedName(original: FileRow): string {
  return `${bare(original)}_signed.pdf`;
}

function certificateName(original: FileRow): string {
  return `${bare(original)}_certificate.pdf`;
}
