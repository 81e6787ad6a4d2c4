import { sha256Of, subjectOf } from '../pki/certificates.ts';
import { checkCms, contentOf, readCms, TST_INFO } from '../pki/cms.ts';
import { readStamp } from '../pki/stamps.ts';
import { coveredDigest, isPlace, signatureAt } from '../sealing/placed.ts';
import type { VerifiedSignature } from './record.ts';

/** A signature as it was checked. `digest`: hex, of what it was made for. `is_stamp`: it is a time stamp over the file. */
export type CheckedSignature = VerifiedSignature & {
  digest: string | null;
  is_intact: boolean;
  is_stamp: boolean;
  /** Where what it covers ends. */
  end: number;
};

/** Checks what stands at places of a file. `ours` are the SHA-256 of certificates that have sealed. What is none is left out. */
export function checkSignatures(
  file: Buffer,
  places: readonly (readonly number[])[],
  ours: (certificate_sha256: string) => boolean,
): CheckedSignature[] {
  const checked = places.flatMap((place) => checkAt(file, place, ours) ?? []);
  return checked.map((one) => ({ ...one, level: levelOf(one, checked) }));
}

function checkAt(
  file: Buffer,
  place: readonly number[],
  ours: (certificate_sha256: string) => boolean,
): CheckedSignature | null {
  if (!isPlace(place, file.length)) return null;
  const end = place[2] + place[3];
  const value = signatureAt(file, place);
  if (!value) return null;
  try {
    const cms = readCms(value);
    const whole = { covers_whole_file: end === file.length, end, level: null };
    const checked = checkCms(cms);
    const certificate_sha256 = sha256Of(checked.certificate);
    const subject = subjectOf(checked.certificate);
    if (contentOf(cms)?.type === TST_INFO) {
      const stamp = readStamp(value.subarray(0, cms.size));
      return {
        ...whole,
        subject,
        certificate_sha256,
        is_service_seal: false,
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
      is_service_seal: ours(certificate_sha256),
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

function levelOf(one: CheckedSignature, all: readonly CheckedSignature[]): VerifiedSignature['level'] {
  if (!one.is_service_seal) return null;
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
