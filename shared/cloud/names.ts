import { z } from 'zod';
import { joined, says, type Text } from '../kernel/language.ts';
import { normalForm } from '../kernel/normal-form.ts';
import { storable } from '../kernel/schema.ts';

/** Bytes that a name may have as UTF-8: what file systems hold. */
export const MOST_BYTES = 255;

/** Controls, and marks that turn the direction of writing: with them `fdp.exe` is shown as `exe.pdf`. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const bytesOf = (text: string) => Buffer.byteLength(text);

/** A name as it is kept: composed letters, no spaces at its ends. */
export function keptName(name: string): string {
  return normalForm(name, 'NFC').trim();
}

/** What two names are the same by: `Report.pdf` and `report.PDF`. */
export function nameKey(name: string): string {
  return normalForm(normalForm(name, 'NFC').toLowerCase(), 'NFC');
}

/** Why a kept name is none, as `code` and a predicate; null for a good one. */
export function nameFault(name: string): { code: string; message: Text } | null {
  if (name === '')
    return { code: 'required', message: { en: 'must not be blank', ja: 'を入力してください' } };
  if (name === '.' || name === '..') {
    return { code: 'invalid_value', message: { en: 'cannot be . or ..', ja: 'に . と .. は使えません' } };
  }
  if (/[/\\]/.test(name) || UNSEEN.test(name)) {
    return {
      code: 'invalid_characters',
      message: {
        en: 'cannot have /, \\, or characters that are not seen',
        ja: 'に / や \\、目に見えない文字は使えません',
      },
    };
  }
  if (bytesOf(name) > MOST_BYTES) {
    return {
      code: 'too_long',
      message: { en: `has at most ${MOST_BYTES} bytes`, ja: `は${MOST_BYTES}バイト以内で入力してください` },
    };
  }
  return null;
}

const FILE_NAME: Text = { en: 'The name of the file ', ja: 'ファイル名' };

/** Why a kept name is none, as a sentence of its own: for a name that stands in no field `name`. */
export function fileNameFault(name: string): { code: string; message: Text } | null {
  const fault = nameFault(name);
  return fault && { ...fault, message: joined([FILE_NAME, fault.message], '') };
}

/** The name of a folder or file. */
export function itemName() {
  return storable(z.string().max(1_000))
    .transform(keptName)
    .superRefine((name, issues) => {
      const fault = nameFault(name);
      if (fault)
        issues.addIssue({ code: 'custom', params: { code: fault.code }, message: says(fault.message) });
    })
    .meta({ jsonSchema: { type: 'string', maxLength: MOST_BYTES }, examples: ['見積書.pdf'] });
}

/** A name with a number: ` (2)` before the last dot that does not begin it, cut to what a name may have. */
export function numberedName(name: string, number: number): string {
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  const mark = ` (${number})`;
  const room = MOST_BYTES - bytesOf(mark);
  // An extension without room for a letter before it is no extension.
  const kept = bytesOf(extension) < room ? extension : '';
  const rest = kept === '' ? name : stem;
  return `${cut(rest, room - bytesOf(kept)).trimEnd()}${mark}${kept}`;
}

/** The first name that is free: the name itself, else with 2, 3, and so on. `isTaken` is asked with the key of a name. */
export function freeName(name: string, isTaken: (key: string) => boolean): string {
  if (!isTaken(nameKey(name))) return name;
  for (let number = 2; ; number += 1) {
    const numbered = numberedName(name, number);
    if (!isTaken(nameKey(numbered))) return numbered;
  }
}

/** As many whole characters as so many bytes hold. */
function cut(text: string, most: number): string {
  if (bytesOf(text) <= most) return text;
  let kept = '';
  let bytes = 0;
  for (const { segment } of new Intl.Segmenter('ja').segment(text)) {
    bytes += bytesOf(segment);
    if (bytes > most) break;
    kept += segment;
  }
  return kept;
}
