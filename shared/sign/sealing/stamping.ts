import type { Outside } from '../../platform/outside/call.ts';
import { openOutside } from '../../platform/outside/call.ts';
import { makerOf } from '../../platform/readers/reader.ts';
import type { SealSettings } from '../../platform/settings/settings.ts';
import { reasonsOfSign } from '../failure-reasons.ts';
import { sha256Of, validityOf } from '../pki/certificates.ts';
import { readCms } from '../pki/cms.ts';
import { isListBy, revocationUrls } from '../pki/revocation.ts';
import { readStamp, type Stamp, stampQuestion, tokenOf } from '../pki/stamps.ts';
import { coveredDigest, isPlace, placesNamedIn, putSignature, signatureAt } from './placed.ts';
import type { Archiving, Composed } from './types.ts';

const MIB = 1024 * 1024;

const archive = makerOf<Archiving, Composed>({
  module: new URL('reading/archive.ts', import.meta.url),
  time_limit: 10_000,
  most_memory: 512,
  most_answer: 96 * MIB,
});

/** Bytes kept for a stamp, with the certificates of its authority. */
export const STAMP_ROOM = 12 * 1024;

/** Milliseconds for one answer of the authority, or of who lists what was revoked. */
const PATIENCE = 15_000;

/** A time-stamping authority. */
export type StampAuthority = { url: string; call: Outside };

/** Why there is no stamp: the authority does not answer, refuses, or answers something else. */
export class StampFailure extends Error {
  override name = 'StampFailure';
}

/** The authority of the settings; null where seals have no stamp. */
export function stampAuthorityOf({ signTsaUrl: url }: SealSettings): StampAuthority | null {
  if (url === undefined) return null;
  return { url, call: openOutside({ trusted_hosts: [new URL(url).host] }) };
}

/** Asks for a token over a SHA-256, in hex. Errors: `StampFailure`. */
export async function stampOf(
  { url, call }: StampAuthority,
  digest: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const question = stampQuestion(digest);
  try {
    const { status, body } = await call({
      url,
      method: 'POST',
      headers: { 'Content-Type': 'application/timestamp-query', Accept: 'application/timestamp-reply' },
      body: Buffer.from(question.request),
      time_limit: PATIENCE,
      most_bytes: MIB,
      signal,
    });
    if (status !== 200) throw new Error(`The authority answers ${status}`);
    return tokenOf(body, question);
  } catch (cause) {
    signal.throwIfAborted();
    throw new StampFailure(reasonsOfSign.no_stamp().en, { cause });
  }
}

/** A file with a stamp over all of it. */
export type Stamped = { bytes: Buffer; stamp: Stamp };

/**
 * Makes a sealed file PAdES B-LTA, or renews it: what its signatures and stamps are validated by is added, and a stamp over all
 * of it. Errors: `StampFailure`, `ReaderFailure`.
 */
export async function stampFile(
  authority: StampAuthority,
  { file, field, certificates }: { file: Buffer; field: string; certificates: readonly Uint8Array[] },
  signal: AbortSignal,
): Promise<Stamped> {
  const revocations = await revocationsOf(authority.call, certificates, signal);
  const answer = await archive({ field, revocations, room: STAMP_ROOM }, file, signal);
  const bytes = answer.content;
  const { place } = answer.answer;
  if (!isPlace(place, bytes.length) || place[2] + place[3] !== bytes.length) {
    throw new Error('The stamp does not cover the whole file');
  }
  if (!bytes.subarray(0, file.length).equals(file)) throw new Error('The stamp changes what is sealed');
  const digest = coveredDigest(bytes, place);
  const token = await stampOf(authority, digest, signal);
  putSignature(bytes, place, token);
  const stamp = readStamp(der(signatureAt(bytes, place)!));
  if (stamp.digest !== digest) throw new Error('The stamp does not hold');
  return { bytes, stamp };
}

/** The stamp over all of a file, which is the last one that it names. Throws for a file without one. */
export function lastStamp(file: Buffer): Stamp {
  const place = placesNamedIn(file).at(-1);
  const value = place && signatureAt(file, place);
  if (!value) throw new Error('The file has no stamp');
  return readStamp(der(value));
}

/** The token without the zeros behind it. */
function der(padded: Buffer): Uint8Array {
  const { size } = readCms(padded);
  return padded.subarray(0, size);
}

/**
 * Lists of what was revoked, of the certificates that name one. One that is not had, or is something else, is left out: the stamp
 * counts without.
 */
async function revocationsOf(
  call: Outside,
  certificates: readonly Uint8Array[],
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const lists: Record<string, string> = {};
  for (const certificate of certificates) {
    for (const url of revocationUrls(certificate)) {
      const request = { url, method: 'GET', time_limit: PATIENCE, most_bytes: 8 * MIB, signal } as const;
      const answer = await call(request).catch(() => null);
      if (answer?.status !== 200 || !isListBy(answer.body, certificate)) continue;
      lists[sha256Of(certificate)] = answer.body.toString('base64');
      break;
    }
  }
  return lists;
}

const DAY = 24 * 60 * 60_000;

/** Milliseconds before the end of the authority's certificate at which its stamp is renewed. */
const BEFORE_END = 30 * DAY;

/**
 * When a stamp is to be renewed: a month before its authority's certificate ends, or where that is less than a third of the time
 * left, with the last third of it. Never within a day: no clock of an authority has a file stamped again and again.
 */
export function renewalOf(
  { certificate, stamped_at }: Pick<Stamp, 'certificate' | 'stamped_at'>,
  now: Date,
): Date {
  const end = validityOf(certificate).to.getTime();
  const before = Math.min(BEFORE_END, (end - stamped_at.getTime()) / 3);
  return new Date(Math.max(end - before, now.getTime() + DAY));
}
