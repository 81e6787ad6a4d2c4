import { normalForm } from '../../kernel/normal-form.ts';
import type { FieldOf } from '../schema/schema.ts';
import { addressParts, nameParts } from '../schema/words.ts';
import { type AnswerFault, sentences, wrong } from './faults.ts';
import { OTHER_DASHES, POSTAL_CODE } from './grammar.ts';
import type { Reads } from './reads.ts';
import { isParts, isUnanswered, pointerStep, storedText } from './values.ts';

/** Characters of the longest part. */
export const LONGEST_PART = { name: 100, address: 200 } as const;

/** The parts of a name or address, and those of them that an answer needs. */
export function partsOf(field: FieldOf<'name' | 'address'>): {
  all: readonly string[];
  needed: readonly string[];
} {
  if (field.type === 'address') return { all: addressParts, needed: addressParts.slice(0, -1) };
  return { all: nameParts, needed: field.kana ? nameParts : nameParts.slice(0, 2) };
}

/** Reads a name or an address. What is wrong is said part by part; where every part is blank there is no answer. */
export function readsParts(field: FieldOf<'name' | 'address'>): Reads {
  const { all, needed } = partsOf(field);
  const most = LONGEST_PART[field.type];
  return (value) => {
    if (!isParts(value)) return wrong('wrong_type', sentences.not_parts);
    const unknown = Object.keys(value).filter((part) => !all.includes(part));
    const faults = unknown.map(
      (part): AnswerFault => ({
        part: pointerStep(part),
        code: 'unknown_field',
        message: sentences.unknown_field,
      }),
    );
    if (faults.length === 0 && all.every((part) => isUnanswered(value[part]))) return null;
    const answer: Record<string, string> = {};
    for (const part of all) {
      const read = readPart(part, value[part], most, needed.includes(part));
      if (typeof read === 'object') faults.push(read);
      else if (read !== '') answer[part] = read;
    }
    return faults.length > 0 ? { faults } : { answer };
  };
}

function readPart(name: string, value: unknown, most: number, is_needed: boolean): string | AnswerFault {
  const part = `/${name}`;
  if (isUnanswered(value)) return is_needed ? { part, code: 'required', message: sentences.required } : '';
  if (name !== 'postal_code') return storedText(value, { is_one_line: true, most, part });
  const text = storedText(value, { is_one_line: true, part });
  if (typeof text === 'object') return text;
  const code = postalCode(text);
  if (code !== null) return code;
  return {
    part,
    code: 'invalid_format',
    message: {
      en: 'Enter a postal code such as 100-0001',
      ja: '100-0001 のような郵便番号を入力してください',
    },
  };
}

/** A postal code as it is stored, of what people and browsers write: full-width digits, other dashes or none. */
function postalCode(text: string): string | null {
  const plain = normalForm(text, 'NFKC').replaceAll(OTHER_DASHES, '-');
  const digits = plain.replace(/^(\d{3})-?(\d{4})$/, '$1-$2');
  return POSTAL_CODE.test(digits) ? digits : null;
}
