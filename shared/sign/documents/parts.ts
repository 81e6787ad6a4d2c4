import { type FieldError, invalidAll } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { joined, sameText, type Text } from '../../kernel/language.ts';
import type { FieldChange, SignerChange } from './input.ts';
import type { DocumentRow, FieldRow, SignerRow } from './rows.ts';
import { faultOfValue } from './value-faults.ts';
import type { SignerAuth } from './words.ts';

/** What signers and fields that say nothing get, and what they are made with. */
export type PartsContext = {
  document: Pick<DocumentRow, 'id' | 'locale' | 'time_zone'>;
  default_auth: SignerAuth;
  /** By the place of a signer in the request, the hash of the access code that it sent. */
  access_code_hashes: ReadonlyMap<number, string>;
  now: Date;
};

type Fault = (path: string, code: string, message: Text) => void;

/**
 * The signers that a request makes of those before: each that names a known ID keeps what it does not send, the others are
 * new. Errors: `validation_failed` with every fault.
 */
export function signersAfter(
  before: readonly SignerRow[],
  sent: readonly SignerChange[],
  context: PartsContext,
): SignerRow[] {
  const faults: FieldError[] = [];
  const fault = faultsInto(faults);
  const known = new Map(before.map((row) => [row.id, row]));
  const keys = new Set(sent.flatMap(({ id, key }) => key ?? known.get(id ?? '')?.key ?? []));
  const seen = new Set<string>();
  const rows = sent.map((signer, position) => {
    const own = signer.id === undefined ? undefined : known.get(signer.id);
    const path = `/signers/${position}`;
    if (signer.id !== undefined && (!own || seen.has(signer.id))) fault(`${path}/id`, ...unknownPart(own));
    if (signer.id !== undefined) seen.add(signer.id);
    const key = signer.key ?? own?.key ?? freeKey(keys);
    return signerRow({ ...signer, key }, own, position, context);
  });
  faultTwice(rows, 'signers', fault);
  if (faults.length > 0) throw invalidAll(faults);
  return rows;
}

/**
 * The fields that a request makes of those before, for the signers that there are then. Errors: `validation_failed` with every
 * fault: a signer that is not there, what does not lie on the page, options, a value against the field's own rules.
 */
export function fieldsAfter(
  before: readonly FieldRow[],
  sent: readonly FieldChange[],
  signers: readonly SignerRow[],
  { document, now }: Pick<PartsContext, 'document' | 'now'>,
): FieldRow[] {
  const faults: FieldError[] = [];
  const fault = faultsInto(faults);
  const known = new Map(before.map((row) => [row.id, row]));
  const seen = new Set<string>();
  const rows = sent.flatMap((field, position): FieldRow[] => {
    const own = field.id === undefined ? undefined : known.get(field.id);
    const path = `/fields/${position}`;
    if (field.id !== undefined && (!own || seen.has(field.id))) fault(`${path}/id`, ...unknownPart(own));
    if (field.id !== undefined) seen.add(field.id);
    const missing = REQUIRED.filter((member) => field[member] === undefined && !own);
    for (const member of missing) fault(`${path}/${member}`, 'required', IS_REQUIRED);
    if (missing.length > 0) return [];
    const signer =
      field.signer === undefined
        ? signers.find(({ id }) => id === own!.signer_id)
        : signers.find(({ id, key }) => id === field.signer || key === field.signer);
    if (!signer) {
      fault(`${path}/signer`, 'unknown_reference', {
        en: 'is none of the signers',
        ja: 'に該当する署名者がいません',
      });
      return [];
    }
    if (signer.role === 'cc') {
      fault(`${path}/signer`, 'not_allowed', {
        en: 'only gets the copy and has no fields',
        ja: 'は写しの送付先のため、フィールドを設定できません',
      });
    }
    const row = fieldRow(field, own, { signer_id: signer.id, position, document_id: document.id, now });
    faultField(row, path, fault);
    return [row];
  });
  faultTwice(rows, 'fields', fault);
  if (faults.length > 0) throw invalidAll(faults);
  return rows;
}

const REQUIRED = ['signer', 'type', 'page', 'x', 'y', 'w', 'h'] as const;

const IS_REQUIRED = { en: 'is required', ja: 'は必須です' };

function signerRow(
  sent: SignerChange & { key: string },
  own: SignerRow | undefined,
  position: number,
  { document, default_auth, access_code_hashes, now }: PartsContext,
): SignerRow {
  const { access_code, id, email, ...fields } = sent;
  const base = own ?? newSigner(document, default_auth, now);
  const address = email === undefined ? base.email : email;
  const code = access_code === undefined ? base.access_code_hash : null;
  return {
    ...base,
    ...fields,
    email: address,
    email_key: address === null ? null : address.toLowerCase(),
    access_code_hash: access_code_hashes.get(position) ?? code,
    position,
  };
}

function newSigner(
  { id: document_id, locale, time_zone }: PartsContext['document'],
  auth: SignerAuth,
  now: Date,
): SignerRow {
  return {
    id: newId('signer', now),
    document_id,
    position: 0,
    key: '',
    name: null,
    email: null,
    email_key: null,
    role: 'signer',
    order_group: 1,
    auth,
    access_code_hash: null,
    locale,
    time_zone,
    status: 'waiting',
    delivery: 'none',
    delivery_error: null,
    failed_tries: 0,
    is_locked: false,
    locked_until: null,
    notified_at: null,
    viewed_at: null,
    signed_at: null,
    signed_from: null,
    decline_reason: null,
    reminders_sent: 0,
    next_reminder_at: null,
    reminded_at: null,
    created_at: now.toISOString(),
  };
}

function fieldRow(
  { id, signer, value, ...sent }: FieldChange,
  own: FieldRow | undefined,
  { now, ...place }: { signer_id: string; position: number; document_id: string; now: Date },
): FieldRow {
  const type = sent.type ?? own!.type;
  const base: FieldRow = own ?? {
    id: newId('sfld', now),
    document_id: place.document_id,
    signer_id: place.signer_id,
    position: place.position,
    key: null,
    type,
    page: 1,
    x: 0,
    y: 0,
    w: 1,
    h: 1,
    required: type !== 'checkbox',
    label: null,
    options: null,
    font_size: 10,
    validation: null,
    prefill: null,
    value: null,
    read_only: false,
  };
  return { ...base, ...sent, ...place, prefill: value === undefined ? base.prefill : value };
}

function faultField(field: FieldRow, path: string, fault: Fault): void {
  const { type, x, y, w, h, options, validation, prefill } = field;
  for (const [member, length, start] of [
    ['w', w, x],
    ['h', h, y],
  ] as const) {
    if (length === 0) {
      fault(`${path}/${member}`, 'too_small', {
        en: 'must be more than 0',
        ja: 'は0より大きい値で指定してください',
      });
    } else if (start + length > 1) {
      fault(`${path}/${member}`, 'too_large', {
        en: 'reaches beyond the page',
        ja: 'がページの外にはみ出しています',
      });
    }
  }
  const isChosen = type === 'radio' || type === 'select';
  if (isChosen && options === null) fault(`${path}/options`, 'required', IS_REQUIRED);
  if (!isChosen && options !== null) fault(`${path}/options`, 'not_allowed', notFor(type));
  if (validation !== null) faultRules(type, validation, `${path}/validation`, fault);
  if (prefill === null) return;
  const wrong = faultOfValue(field, prefill);
  if (wrong) fault(`${path}/value`, wrong.code, wrong.message);
}

function faultRules(
  type: FieldRow['type'],
  { min_length, max_length, format, min, max }: NonNullable<FieldRow['validation']>,
  path: string,
  fault: Fault,
): void {
  const ofText = { min_length, max_length, format };
  const ofNumber = { min, max };
  const refused = {
    ...(type === 'text' || type === 'name' ? {} : ofText),
    ...(type === 'number' ? {} : ofNumber),
  };
  for (const [member, rule] of Object.entries(refused)) {
    if (rule !== undefined) fault(`${path}/${member}`, 'not_allowed', notFor(type));
  }
  const isTurned =
    (min_length !== undefined && max_length !== undefined && min_length > max_length) ||
    (min !== undefined && max !== undefined && Number(min) > Number(max));
  if (isTurned) {
    fault(path, 'invalid_value', { en: 'has a least above its most', ja: 'の下限が上限を超えています' });
  }
}

const notFor = (type: string): Text => ({ en: `is not for a ${type}`, ja: `は ${type} には指定できません` });

function faultTwice(rows: readonly { key: string | null }[], name: 'signers' | 'fields', fault: Fault): void {
  const seen = new Set<string>();
  for (const [index, { key }] of rows.entries()) {
    if (key === null) continue;
    if (seen.has(key))
      fault(`/${name}/${index}/key`, 'duplicate', { en: 'is there twice', ja: 'が重複しています' });
    seen.add(key);
  }
}

/** The first of s1, s2 and so on that nobody has, taken from then on. */
function freeKey(taken: Set<string>): string {
  for (let number = 1; ; number += 1) {
    const key = `s${number}`;
    if (taken.has(key)) continue;
    taken.add(key);
    return key;
  }
}

function unknownPart(own: object | undefined): [code: string, message: Text] {
  return own
    ? ['duplicate', { en: 'is there twice', ja: 'が重複しています' }]
    : ['unknown_reference', { en: 'is not of this document', ja: 'はこの書類にありません' }];
}

function faultsInto(faults: FieldError[]): Fault {
  return (path, code, message) =>
    faults.push({
      in: 'body',
      path,
      code,
      message: joined([sameText(path.slice(1).replaceAll('/', '.')), message], ' '),
    });
}
