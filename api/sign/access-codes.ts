import { hashPassword } from '../../shared/platform/access/passwords.ts';

/**
 * By the place of a signer in a request, the hash of the access code that it sent: made before the transaction begins, since
 * each takes long.
 */
export async function accessCodeHashes(
  signers: readonly { access_code?: string | null | undefined }[] = [],
): Promise<ReadonlyMap<number, string>> {
  const hashed = signers.flatMap(({ access_code }, place) => {
    return access_code ? [hashPassword(access_code).then((hash) => [place, hash] as const)] : [];
  });
  return new Map(await Promise.all(hashed));
}
