import { sha256Of, subjectOf } from '../pki/certificates.ts';
import { checkCms, contentOf, readCms, TST_INFO } from '../pki/cms.ts';
import { readStamp } from '../pki/stamps.ts';
import { coveredDigest, isPlace, signatureAt } from '../sealing/placed.ts';
import type { VerifiedSignature } from './record.ts';

/**
 * A signature as it was checked by the file alone. `digest`: hex, of what it was made for. `is_stamp`: it is a time stamp over the
 * file.
 */
export type FoundSignature = Omit<VerifiedSignature, 'is_service_seal' | 'level'> & {
  digest: string | null;
  is_intact: boolean;
  is_stamp: boolean;
  /** Where what it covers ends. */
  end: number;
};

/** The same, once it is known whether it is a seal of the service. */
export type CheckedSignature = FoundSignature & VerifiedSignature;

/** Checks what stands at places of a file. What is no signature is left out. */
export function checkSignatures(file: Buffer, places: readonly (readonly number[])[]): FoundSignature[] {
  return places.flatMap((place) => checkAt(file, place) ?? []);
}

/** Tells the seals of the service from other signatures: `ours` are the SHA-256 of certificates that have sealed. */
export function withSeals(
  found: readonly FoundSignature[],
  ours: (certificate_sha256: string) => boolean,
): CheckedSignature[] {
  return found.map((one) => {
    const is_service_seal = !one.is_stamp && ours(one.certificate_sha256);
    return { ...one, is_service_seal, level: is_service_seal ? levelOf(one, found) : null };
  });
}

function checkAt(file: Buffer, place: readonly number[]): FoundSignature | null {
  if (!isPlace(place, file.length)) return null;
  const end = place[2] + place[3];
  const value = signatureAt(file, place);
  if (!value) return null;
  try {
    const cms = readCms(value);
    const whole = { covers_whole_file: end === file.length, end };
    const checked = checkCms(cms);
    const certificate_sha256 = sha256Of(checked.certificate);
    const subject = subjectOf(checked.certificate);
    if (contentOf(cms)?.type === TST_INFO) {
      const stamp = readStamp(value.subarray(0, cms.size));
      return {
        ...whole,
        subject,
        certificate_sha256,
        is_stamp: true,
        is_intact: true,
        digest: stamp.digest,
        digest_ok: stamp.digest === coveredDigest(file, place),
        signing_time: null,
        timestamp_at: stamp.stamped_at.toISOString(),
      };
    }
    const isSame = checked.digest === coveredDigest(file, place, checked.algorithm);
    return {
      ...whole,
      subject,
      certificate_sha256,
      is_stamp: false,
      is_intact: checked.is_intact,
      digest: checked.digest,
      digest_ok: checked.is_intact && isSame,
      signing_time: checked.signing_time?.toISOString() ?? null,
      timestamp_at: checked.token ? readStamp(checked.token).stamped_at.toISOString() : null,
    };
  } catch {
    // What cannot be read is no signature.
    return null;
  }
}

function levelOf(one: FoundSignature, all: readonly FoundSignature[]): 'B-B' | 'B-LTA' {
  const isStamped = all.some(({ is_stamp, digest_ok, end }) => is_stamp && digest_ok && end > one.end);
  return one.timestamp_at !== null && isStamped ? 'B-LTA' : 'B-B';
}

/** A signature as it is shown. */
export function shownSignature({
  digest,
  is_intact,
  is_stamp,
  end,
  ...shown
}: CheckedSignature): VerifiedSignature {
  return shown;
}
