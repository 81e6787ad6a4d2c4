import { readerOf } from '../../platform/readers/reader.ts';
import { attributesToSign, checkCms, readCms, withSignature } from '../pki/cms.ts';
import type { SealKey } from './key.ts';
import { coveredDigest, isPlace, putSignature, signatureAt } from './placed.ts';
import type { Composed, Composition } from './types.ts';

const MIB = 1024 * 1024;

const compose = readerOf<Composition, Composed>({
  module: new URL('reading/compose.ts', import.meta.url),
  time_limit: 10_000,
  most_memory: 512,
  most_answer: 96 * MIB,
});

/** What is sealed: the upload, the PDF of the certificate behind it (empty for none), and what comes with them. */
export type ToSeal = Pick<Composition, 'field' | 'has_signatures' | 'attachment' | 'title'> & {
  upload: Buffer;
  certificate: Buffer;
};

/** A sealed file. `digest` is what its seal was made for, in hex: what finds it when its content was changed. */
export type Sealed = { bytes: Buffer; page_count: number; digest: string };

/** Bytes kept for a signature: with its certificates, and for one with a stamp the authority's too. */
const ROOM = 12 * 1024;

/**
 * Seals: PAdES B-B (ETSI.CAdES.detached) over the whole file, in a field of its own. The file is put together in a process
 * without a key; the signature is made here, put into its place and checked. Errors: `ReaderFailure`; throws where the
 * seal does not hold.
 */
export async function sealFile(to_seal: ToSeal, key: SealKey, now: Date, signal: AbortSignal): Promise<Sealed> {
  const { upload, certificate, field, has_signatures, attachment, title } = to_seal;
  const base64 = (der: Uint8Array) => Buffer.from(der).toString('base64');
  const asked: Composition = {
    field,
    has_signatures,
    attachment,
    title,
    upload_bytes: upload.length,
    key: { key_type: key.key_type, certificate: base64(key.certificate), chain: key.chain.map(base64) },
    signing_time: now.toISOString(),
    room: ROOM,
  };
  const { bytes, place, page_count } = await compose(asked, Buffer.concat([upload, certificate]), signal);
  const file = Buffer.from(bytes);
  if (!isPlace(place, file.length) || place[2] + place[3] !== file.length) {
    throw new Error('The seal does not cover the whole file');
  }
  const stand_in = readCms(signatureAt(file, place)!);
  putSignature(file, place, withSignature(stand_in, key.sign(attributesToSign(stand_in)), null));
  const checked = checkCms(readCms(signatureAt(file, place)!));
  const digest = coveredDigest(file, place);
  if (!checked.is_intact || checked.digest !== digest) throw new Error('The seal does not hold');
  return { bytes: file, page_count, digest };
}
