import { hashPassword } from '../../shared/platform/access/passwords.ts';
import type { PreparedParts } from '../../shared/sign/documents/parts.ts';
import type { FieldValue } from '../../shared/sign/documents/values.ts';
import { remadeImages } from '../../shared/sign/values/images.ts';

type Sent = {
  signers?: readonly { access_code?: string | null | undefined }[] | undefined;
  fields?: readonly { value?: FieldValue | null | undefined }[] | undefined;
};

/** What is made of signers and fields of a request before the transaction begins, since each of them takes long. */
export async function preparedParts(
  { signers = [], fields = [] }: Sent,
  signal: AbortSignal,
): Promise<PreparedParts> {
  const hashed = signers.flatMap(({ access_code }, place) => {
    return access_code ? [hashPassword(access_code).then((hash) => [place, hash] as const)] : [];
  });
  return {
    access_code_hashes: new Map(await Promise.all(hashed)),
    images: await remadeImages(fields, signal),
  };
}
