import { Failure, type FieldError, invalidAll, unknownReference } from '../../kernel/failure.ts';
import { joined, sameText } from '../../kernel/language.ts';
import type { Work } from '../../kernel/work.ts';
import { sharedOriginal } from './files.ts';
import type { DocumentInput, FieldChange, SignerChange } from './input.ts';
import { type PartsContext, signersAfter } from './parts.ts';
import { storedDocument } from './queries.ts';
import type { FileRow, SignerRow, StoredDocument } from './rows.ts';
import { fileOfKind } from './shown.ts';

/** A document that another one follows, and the row of its file for that one. */
export type Template = { stored: StoredDocument; file: FileRow | null };

/** The document that a new one follows. Errors: `unknown_reference` at /source/id. */
export async function templateFor(work: Work, id: string): Promise<Template> {
  const stored = await storedDocument(work, id).catch((error) => {
    if (error instanceof Failure && error.code === 'not_found') throw unknownReference('/source/id', id);
    throw error;
  });
  const original = fileOfKind(stored.files, 'original');
  const file = original && (await sharedOriginal(work, stored.document, original));
  return { stored, file };
}

/**
 * Signers and fields of a document that follows another: all that the sender of that one said, without codes and without what
 * its guests entered. The signers of the request say name, address, code and more of the one with their `key`. Errors:
 * `validation_failed` for a key that the template does not have, or for fields beside a template.
 */
export function templateParts(
  { stored }: Template,
  { signers = [], fields }: DocumentInput,
  context: PartsContext,
): { signers: SignerRow[]; sent: readonly FieldChange[] } {
  const faults: FieldError[] = [];
  const keys = new Map(stored.signers.map((signer, place) => [signer.key, place]));
  const sent: SignerChange[] = stored.signers.map(
    ({ key, name, email, role, order_group, auth, locale, time_zone }) => {
      return { key, name, email, role, order_group, auth, locale, time_zone };
    },
  );
  const hashes = new Map<number, string>();
  for (const [index, signer] of signers.entries()) {
    const place = signer.key === undefined ? index : keys.get(signer.key);
    const own = place === undefined ? undefined : sent[place];
    if (place === undefined || !own) {
      faults.push(notInTemplate(`/signers/${index}/key`));
      continue;
    }
    sent[place] = { ...own, ...signer };
    const hash = context.access_code_hashes.get(index);
    if (hash !== undefined) hashes.set(place, hash);
  }
  if (faults.length > 0) throw invalidAll(faults);
  const rows = signersAfter([], sent, { ...context, access_code_hashes: hashes });
  const key_of = new Map(stored.signers.map(({ id, key }) => [id, key]));
  const copied = stored.fields.map(({ signer_id, prefill, id, document_id, position, value, ...field }) => {
    return { ...field, signer: key_of.get(signer_id)!, ...(prefill !== null && { value: prefill }) };
  });
  return { signers: rows, sent: fields ?? copied };
}

function notInTemplate(path: string): FieldError {
  const message = { en: 'is no signer of the source', ja: 'に該当する署名者が元の書類にいません' };
  const name = sameText(path.slice(1).replaceAll('/', '.'));
  return { in: 'body', path, code: 'unknown_reference', message: joined([name, message], ' ') };
}
