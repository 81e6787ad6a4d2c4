import { makerOf } from '../../platform/readers/reader.ts';
import { questionOf } from '../pdf/draw.ts';
import type { DrawingOrder, DrawingQuestion } from '../pdf/types.ts';
import { sha256Of } from '../pki/certificates.ts';
import { attributesToSign, checkCms, readCms, withSignature } from '../pki/cms.ts';
import { readStamp, type Stamp } from '../pki/stamps.ts';
import type { SealKey } from './key.ts';
import { coveredDigest, isPlace, putSignature, signatureAt } from './placed.ts';
import { STAMP_ROOM, type StampAuthority, StampFailure, stampFile, stampOf } from './stamping.ts';
import type { Composed, Composition } from './types.ts';

const MIB = 1024 * 1024;

const compose = makerOf<Composition, Composed>({
  module: new URL('reading/compose.ts', import.meta.url),
  time_limit: 10_000,
  most_memory: 512,
  most_answer: 96 * MIB,
  // To start a process costs more than to put most files together.
  files: 20,
});

/** What is sealed, in a field of that name. */
export type ToSeal = { drawing: DrawingOrder; field: string };

/** What seals and stamps, at that time. */
export type Sealer = {
  key: SealKey;
  authority: StampAuthority | null;
  /** Whether there is no seal without a stamp. */
  stamp_required: boolean;
  now: Date;
  signal: AbortSignal;
};

/** A sealed file. `digest` is what its seal was made for, in hex: what finds it when its content was changed. */
export type Sealed = {
  bytes: Buffer;
  page_count: number;
  digest: string;
  /** The last stamp; null: PAdES B-B. */
  stamp: Stamp | null;
};

/** Bytes of a signature beside its certificates. */
const BARE_SIGNATURE = 2 * 1024;

/**
 * Seals: PAdES B-B (ETSI.CAdES.detached) over the whole file, in a field of its own, and B-LTA with an authority. The file is put
 * together in a process without a key; the signature is made here, put into its place and checked. Errors:
 * `ReaderFailure`; `StampFailure` where a stamp is required; throws where the seal does not hold.
 */
export async function sealFile(to_seal: ToSeal, sealer: Sealer): Promise<Sealed> {
  const { key, authority, signal } = sealer;
  const { question, content } = questionOf(to_seal.drawing);
  const composed = await compose(asked(question, to_seal.field, sealer), content, signal);
  const { place, page_count } = composed.answer;
  const file = composed.content;
  if (!isPlace(place, file.length) || place[2] + place[3] !== file.length) {
    throw new Error('The seal does not cover the whole file');
  }
  const stand_in = readCms(signatureAt(file, place)!);
  const signature = key.sign(attributesToSign(stand_in));
  const token = await required(sealer, async (by) => stampOf(by, sha256Of(signature), signal));
  putSignature(file, place, withSignature(stand_in, signature, token));
  const checked = checkCms(readCms(signatureAt(file, place)!));
  const digest = coveredDigest(file, place);
  if (!checked.is_intact || checked.digest !== digest) throw new Error('The seal does not hold');
  const bare: Sealed = { bytes: file, page_count, digest, stamp: null };
  if (!token || !authority) return bare;
  const first = readStamp(token);
  const certificates = [key.certificate, ...key.chain, first.certificate, ...first.others];
  const stamping = { file, field: `${to_seal.field}_stamp_1`, certificates };
  const stamped = await required(sealer, (by) => stampFile(by, stamping, signal));
  return stamped ? { ...bare, ...stamped } : bare;
}

function asked(drawing: DrawingQuestion, field: string, { key, authority, now }: Sealer): Composition {
  const base64 = (der: Uint8Array) => Buffer.from(der).toString('base64');
  const certificates = [key.certificate, ...key.chain].reduce((sum, { length }) => sum + length, 0);
  return {
    drawing,
    field,
    key: { key_type: key.key_type, certificate: base64(key.certificate), chain: key.chain.map(base64) },
    signing_time: now.toISOString(),
    room: BARE_SIGNATURE + certificates + (authority ? STAMP_ROOM : 0),
  };
}

/** What an authority gives; null without one, and where it fails and is not required. */
async function required<T>(
  { authority, stamp_required }: Sealer,
  ask: (authority: StampAuthority) => Promise<T>,
): Promise<T | null> {
  if (!authority) return null;
  try {
    return await ask(authority);
  } catch (error) {
    if (stamp_required || !(error instanceof StampFailure)) throw error;
    return null;
  }
}
