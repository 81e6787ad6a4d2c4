import type { Verification, VerificationReason } from './record.ts';
import type { CheckedSignature } from './signatures.ts';

/** What is recorded of a file: a sealed one in any of its versions, or an upload. */
export type KnownFile = { kind: 'original' | 'signed' | 'certificate' };

/** A result, the reasons for it, and by which seal the document is found where not by the file itself. */
export type Judgement = Pick<Verification, 'result'> & {
  reasons: VerificationReason[];
  seal_digest: string | null;
};

/**
 * What a file is, by its own hash (`known`) and by its signatures: `sealed` says of a seal's digest whether there is a record
 * of it, `stamped_end` where the signature ends behind which there are stamps alone. Only the very bytes of a sealed file are valid.
 */
export function judge(
  known: KnownFile | null,
  { signatures, stamped_end }: { signatures: readonly CheckedSignature[]; stamped_end: number | null },
  sealed: (digest: string) => boolean,
): Judgement {
  if (known?.kind === 'original') return judged('original', []);
  if (known) return judged('valid', []);
  // One that was not made with the key of its certificate says nothing about it.
  const seals = signatures
    .filter(({ is_service_seal, is_intact }) => is_service_seal && is_intact)
    .toSorted((left, right) => left.end - right.end);
  const changed = seals.find(({ digest_ok }) => !digest_ok);
  if (changed) return judged('modified', ['digest_mismatch'], changed.digest);
  const last = seals.at(-1);
  if (!last) return judged('unknown', ['no_seal']);
  const isWhole = last.covers_whole_file || last.end === stamped_end;
  const isRecorded = (seal: CheckedSignature) => seal.digest !== null && sealed(seal.digest);
  if (isWhole && !isRecorded(last)) return judged('unlisted', []);
  const seal_digest = seals.findLast(isRecorded)?.digest ?? null;
  return judged('modified', [isWhole ? 'not_identical' : 'appended'], seal_digest);
}

function judged(
  result: Verification['result'],
  reasons: VerificationReason[],
  seal_digest: string | null = null,
): Judgement {
  return { result, reasons, seal_digest };
}
