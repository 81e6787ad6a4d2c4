import { notFound } from '../../kernel/failure.ts';
import type { SignerRow, StoredDocument } from '../documents/rows.ts';

/** A signer of a draft by the ID in a path. Errors: `not_found`. */
export function signerOfPath({ signers }: Pick<StoredDocument, 'signers'>, id: string): SignerRow {
  const signer = signers.find((one) => one.id === id);
  if (!signer) throw notFound();
  return signer;
}
