import type { StoredDocument } from './rows.ts';

/** A copy of a document whose rows can be changed, to be kept by `documentChanged` beside the one that was read. */
export function draftOf({ document, signers, fields, files }: StoredDocument): StoredDocument {
  return {
    document: { ...document },
    signers: signers.map((signer) => ({ ...signer })),
    fields: fields.map((field) => ({ ...field })),
    files: [...files],
  };
}
