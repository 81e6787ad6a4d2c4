import type { FieldError } from '../../kernel/failure.ts';
import type { Text } from '../../kernel/language.ts';
import type { FieldRow, SignerRow, StoredDocument } from '../documents/rows.ts';
import { fileOfKind } from '../documents/shown.ts';
import { hasAccessCode } from '../documents/words.ts';

/** The types of fields that a signer signs in. */
const SIGNED_IN: ReadonlySet<FieldRow['type']> = new Set(['signature', 'stamp']);

/** All that keeps a draft from being sent, in the order of its members. */
export function sendFaults({ document, signers, fields, files }: StoredDocument, now: Date): FieldError[] {
  const file = fileOfKind(files, 'original');
  const { expires_at } = document;
  return [
    ...(file ? [] : [fault('/file', 'required', { en: 'There is no file', ja: 'ファイルがありません' })]),
    ...(expires_at !== null && expires_at <= now.toISOString()
      ? [fault('/expires_at', 'in_the_past', { en: 'The expiry has passed', ja: '期限が過ぎています' })]
      : []),
    ...(signers.some(({ role }) => role === 'signer')
      ? []
      : [fault('/signers', 'required', { en: 'Nobody is to sign', ja: '署名する人がいません' })]),
    ...signers.flatMap((signer, index) => signerFaults(signer, `/signers/${index}`, fields)),
    ...fields.flatMap((field, index) => fieldFaults(field, `/fields/${index}`, file?.page_count ?? null)),
  ];
}

function signerFaults(signer: SignerRow, path: string, fields: readonly FieldRow[]): FieldError[] {
  const signs = fields.some(({ signer_id, type }) => signer_id === signer.id && SIGNED_IN.has(type));
  return [
    ...(signer.name === null
      ? [fault(`${path}/name`, 'required', { en: 'The signer has no name', ja: '署名者の名前がありません' })]
      : []),
    ...(signer.email === null
      ? [
          fault(`${path}/email`, 'required', {
            en: 'The signer has no e-mail address',
            ja: '署名者のメールアドレスがありません',
          }),
        ]
      : []),
    ...(signer.role === 'signer' && !signs
      ? [
          fault(path, 'signature_missing', {
            en: 'The signer has no field for a signature or a stamp',
            ja: '署名者に署名または印影のフィールドがありません',
          }),
        ]
      : []),
    ...(hasAccessCode(signer.auth) && signer.access_code_hash === null
      ? [
          fault(`${path}/access_code`, 'required', {
            en: 'The signer has no access code',
            ja: '署名者のアクセスコードがありません',
          }),
        ]
      : []),
  ];
}

function fieldFaults(
  { page, read_only, prefill }: FieldRow,
  path: string,
  page_count: number | null,
): FieldError[] {
  return [
    ...(page_count !== null && page > page_count
      ? [
          fault(`${path}/page`, 'no_such_page', {
            en: `The file has ${page_count} pages`,
            ja: `ファイルは${page_count}ページです`,
          }),
        ]
      : []),
    ...(read_only && prefill === null
      ? [
          fault(`${path}/value`, 'required', {
            en: 'A field that nobody may fill in needs a value',
            ja: '入力できないフィールドには値が必要です',
          }),
        ]
      : []),
  ];
}

function fault(path: string, code: string, message: Text): FieldError {
  return { in: 'body', path, code, message };
}
