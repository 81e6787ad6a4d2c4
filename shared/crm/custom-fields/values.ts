import { z } from 'zod';
import type { FieldError } from '../../kernel/failure.ts';
import { joined, sameText, type Text } from '../../kernel/language.ts';
import { simpleValuesByName } from '../../kernel/open-objects.ts';
import { DecimalSource, isDecimal, isStorable } from '../../kernel/schema.ts';
import { inStoredOrder } from '../../kernel/stored-order.ts';

export const customFieldTypes = [
  'text',
  'number',
  'date',
  'boolean',
  'select',
  'multi_select',
  'url',
] as const;

export type CustomFieldType = (typeof customFieldTypes)[number];

/** What a value is checked against. */
export type CustomFieldRule = { key: string; type: CustomFieldType; options: readonly string[] };

/** The values of a record's custom fields by key, as answers show them. */
export const CustomFieldValues = simpleValuesByName().meta({ examples: [{ rank: 'A' }] });

export type CustomFieldValues = z.output<typeof CustomFieldValues>;

/** Custom fields as a request sends them: only the keys sent change, `null` clears; the definitions check the rest. */
export const CustomFieldChanges = z
  .record(z.string(), z.unknown())
  .describe('Values by the key of their definition; null clears one.')
  .meta({ examples: [{ rank: 'A' }] });

export type CustomFieldChanges = z.output<typeof CustomFieldChanges>;

/**
 * Applies the sent values to those that a record has, checked against the definitions of its kind.
 * Answers the new values in the order in which the database keeps them, or the faults at /custom_fields/<key>.
 */
export function changeCustomFields(
  before: CustomFieldValues,
  sent: CustomFieldChanges,
  rules: readonly CustomFieldRule[],
): { values: CustomFieldValues } | { faults: FieldError[] } {
  const values = new Map(Object.entries(before));
  const faults: FieldError[] = [];
  for (const [key, value] of Object.entries(sent)) {
    const rule = rules.find((one) => one.key === key);
    const read = rule
      ? readValue(rule, value)
      : {
          code: 'unknown_field',
          message: { en: 'is no custom field', ja: 'というカスタム項目はありません' },
        };
    if ('code' in read) faults.push(faultAt(key, read));
    else if (read.value === null) values.delete(key);
    else values.set(key, read.value);
  }
  if (faults.length > 0) return { faults };
  return { values: inStoredOrder(Object.fromEntries(values)) };
}

type Read = { value: CustomFieldValues[string] | null } | { code: string; message: Text };

const LONGEST_TEXT = 10_000;
const LONGEST_URL = 2_000;

function readValue(rule: CustomFieldRule, value: unknown): Read {
  if (value === null) return { value: null };
  switch (rule.type) {
    case 'text':
      return readText(value);
    case 'number':
      return readNumber(value);
    case 'date':
      return z.iso.date().safeParse(value).success
        ? { value: value as string }
        : wrong('invalid_format', {
            en: 'must be a day as YYYY-MM-DD',
            ja: 'は YYYY-MM-DD 形式の日付で指定してください',
          });
    case 'boolean':
      return typeof value === 'boolean'
        ? { value }
        : wrong('invalid_type', { en: 'must be true or false', ja: 'は true か false で指定してください' });
    case 'select':
      return rule.options.includes(value as string) ? { value: value as string } : notAnOption(rule, 'one');
    case 'multi_select':
      return readOptions(rule, value);
    case 'url':
      return readUrl(value);
  }
}

function readText(value: unknown): Read {
  if (typeof value !== 'string')
    return wrong('invalid_type', { en: 'must be a string', ja: 'は文字列で指定してください' });
  if (!isStorable(value)) {
    return wrong('invalid_characters', {
      en: 'must not hold NUL characters or unpaired surrogates',
      ja: 'に使えない文字（NULまたは不完全なサロゲート）が含まれています',
    });
  }
  if (value.length > LONGEST_TEXT)
    return wrong('too_long', {
      en: `must have ${LONGEST_TEXT} characters or fewer`,
      ja: `は${LONGEST_TEXT}文字以内で入力してください`,
    });
  return { value };
}

/** A number that JSON cannot carry exactly stays text. */
function readNumber(value: unknown): Read {
  const text =
    value instanceof DecimalSource ? value.text : typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !isDecimal(text)) {
    return wrong('invalid_decimal', {
      en: 'must be a number without an exponent',
      ja: 'は指数表記を使わない数値で指定してください',
    });
  }
  const shortest = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  const exact = shortest === '-0' ? '0' : shortest;
  return { value: String(Number(exact)) === exact ? Number(exact) : exact };
}

function readOptions(rule: CustomFieldRule, value: unknown): Read {
  if (!Array.isArray(value) || value.some((one) => !rule.options.includes(one)))
    return notAnOption(rule, 'any');
  if (new Set(value).size < value.length)
    return wrong('duplicate', {
      en: 'must name each option once',
      ja: 'には同じ選択肢を重複して指定できません',
    });
  return { value };
}

function readUrl(value: unknown): Read {
  const text = readText(value);
  if ('code' in text) return text;
  const url = URL.parse(value as string);
  if (!url || !/^https?:$/.test(url.protocol)) {
    return wrong('invalid_format', {
      en: 'must be a URL that begins with http:// or https://',
      ja: 'は http:// または https:// で始まるURLで指定してください',
    });
  }
  if ((value as string).length > LONGEST_URL) {
    return wrong('too_long', {
      en: `must have ${LONGEST_URL} characters or fewer`,
      ja: `は${LONGEST_URL}文字以内で入力してください`,
    });
  }
  return { value: value as string };
}

function notAnOption({ options }: CustomFieldRule, many: 'one' | 'any'): Read {
  const shown = options.map((option) => JSON.stringify(option)).join(', ');
  return wrong(
    'invalid_value',
    many === 'one'
      ? { en: `must be one of ${shown}`, ja: `は次のいずれかを指定してください：${shown}` }
      : { en: `must be an array of ${shown}`, ja: `は次の選択肢の配列で指定してください：${shown}` },
  );
}

function wrong(code: string, message: Text): { code: string; message: Text } {
  return { code, message };
}

function faultAt(key: string, { code, message }: { code: string; message: Text }): FieldError {
  const path = `/custom_fields/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return { in: 'body', path, code, message: joined([sameText(`custom_fields.${key}`), message], ' ') };
}
