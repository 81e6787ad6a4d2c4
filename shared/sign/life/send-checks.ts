import type { FieldError } from '../../kernel/failure.ts';
import type { Text } from '../../kernel/language.ts';
import type { FieldRow, FileRow, SignerRow, StoredDocument } from '../documents/rows.ts';
import { fileOfKind } from '../documents/shown.ts';
import { hasAccessCode } from '../documents/words.ts';
import type { DrawingProblem } from '../pdf/drawing/plan.ts';
import { problemOfValue } from '../pdf/problem.ts';
import type { PlacedValue } from '../pdf/types.ts';

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
    ...fields.flatMap((field, index) => fieldFaults(field, `/fields/${index}`, { signers, file })),
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
  field: FieldRow,
  path: string,
  { signers, file }: { signers: readonly SignerRow[]; file: FileRow | null },
): FieldError[] {
  const { page, read_only, prefill, signer_id } = field;
  const page_count = file?.page_count ?? null;
  const problem = undrawable(field, file);
  return [
    ...(page_count !== null && page > page_count
      ? [
          fault(`${path}/page`, 'no_such_page', {
            en: `The file has ${page_count} pages`,
            ja: `ファイルは${page_count}ページです`,
          }),
        ]
      : []),
    ...(signers.some(({ id, role }) => id === signer_id && role === 'cc')
      ? [
          fault(`${path}/signer`, 'not_allowed', {
            en: 'Who only gets the copy has no fields',
            ja: '写しの送付先にはフィールドを設定できません',
          }),
        ]
      : []),
    ...(problem ? [fault(`${path}/${prefill === null ? 'w' : 'value'}`, problem, PROBLEMS[problem])] : []),
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

/** A day as it is set at signing. */
const ANY_DAY = '2000-01-01';

/** Why what the sender or the service fills in cannot be drawn: once all have signed, nobody can change it. */
function undrawable(field: FieldRow, file: FileRow | null): DrawingProblem | null {
  const page = file?.geometry?.[field.page - 1];
  const value = field.type === 'date' ? ANY_DAY : field.prefill;
  return page ? problemOfValue(field, page, value as PlacedValue | null) : null;
}

const PROBLEMS: Readonly<Record<DrawingProblem, Text>> = {
  does_not_fit: { en: 'The value does not fit into its box', ja: '値が枠に収まりません' },
  bad_characters: {
    en: 'The value has characters that cannot be drawn',
    ja: '値に描画できない文字が含まれています',
  },
};

function fault(path: string, code: string, message: Text): FieldError {
  return { in: 'body', path, code, message };
}
