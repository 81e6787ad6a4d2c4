import Big from 'big.js';
import type { Text } from '../../kernel/language.ts';
import { turning, turnsLine } from '../../kernel/line-direction.ts';
import { isDecimal } from '../../kernel/schema.ts';
import type { FieldRow } from './rows.ts';
import { type FieldValue, valueSchemas } from './values.ts';

/** What is wrong with a value: a code, and a predicate that follows the name of the field. */
export type ValueFault = { code: string; message: Text };

/** The rules that a value is judged by. */
export type ValueRules = Pick<FieldRow, 'type' | 'options' | 'validation'>;

const FORMS = {
  digits: /^\d+$/,
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  phone: /^\+?[0-9][0-9() -]{7,19}$/,
  postal_code: /^\d{3}-?\d{4}$/,
} as const;

/**
 * What is wrong with the value of a field by its type, its options and its rules; null where nothing is. Days are set by the
 * server alone. An empty text is a value here: whether one is required is asked when its signer signs.
 */
export function faultOfValue(
  { type, options, validation }: ValueRules,
  value: FieldValue,
): ValueFault | null {
  if (type === 'date') {
    return fault('not_allowed', {
      en: 'is set by the service when its signer signs',
      ja: 'は署名時に自動で設定されるため、指定できません',
    });
  }
  if (!valueSchemas[type].safeParse(value).success) {
    return fault('invalid_value', EXPECTED[type]);
  }
  if (turnsLine(writtenName(type, value))) return fault('invalid_characters', turning);
  if (type === 'radio' || type === 'select') {
    if (options?.includes(value as string)) return null;
    return fault('invalid_value', oneOfOptions(options ?? []));
  }
  if (!validation || typeof value !== 'string') return null;
  return type === 'number' ? faultOfNumber(value, validation) : faultOfText(value, validation);
}

/** What stands on the page as somebody's name: typed signatures and stamps, and fields for a name. */
function writtenName(type: FieldRow['type'], value: FieldValue): string {
  if (typeof value === 'object') return 'text' in value ? value.text : '';
  return type === 'name' ? String(value) : '';
}

const SIGNATURE = {
  en: 'must be a signature: an object whose kind is typed, drawn or image',
  ja: 'は署名（kind が typed、drawn、image のいずれかのオブジェクト）で指定してください',
};
const TEXT = { en: 'must be text', ja: 'は文字列で指定してください' };

/** What a value of each type must be. */
const EXPECTED: Readonly<Record<FieldRow['type'], Text>> = {
  signature: SIGNATURE,
  initials: SIGNATURE,
  stamp: {
    en: 'must be a stamp: an object whose kind is image or text',
    ja: 'は印影（kind が image または text のオブジェクト）で指定してください',
  },
  name: TEXT,
  text: TEXT,
  date: TEXT,
  number: { en: 'must be a decimal, for example "1234.5"', ja: 'は "1234.5" のような数値で指定してください' },
  checkbox: { en: 'must be true or false', ja: 'は true または false で指定してください' },
  radio: TEXT,
  select: TEXT,
};

/** Options that a sentence repeats. */
const MOST_LISTED = 10;

function oneOfOptions(options: readonly string[]): Text {
  const listed = options.slice(0, MOST_LISTED).map((option) => JSON.stringify(option));
  if (options.length > MOST_LISTED) listed.push('…');
  return {
    en: `must be one of the options: ${listed.join(', ')}`,
    ja: `は選択肢（${listed.join('、')}）から指定してください`,
  };
}

function faultOfNumber(
  value: string,
  { min, max }: NonNullable<ValueRules['validation']>,
): ValueFault | null {
  if (!isDecimal(value)) return null;
  if (min !== undefined && new Big(value).lt(min)) {
    return fault('too_small', { en: `must be ${min} or more`, ja: `は${min}以上で指定してください` });
  }
  if (max !== undefined && new Big(value).gt(max)) {
    return fault('too_large', { en: `must be ${max} or less`, ja: `は${max}以下で指定してください` });
  }
  return null;
}

function faultOfText(value: string, rules: NonNullable<ValueRules['validation']>): ValueFault | null {
  const { min_length, max_length, format } = rules;
  const { length } = [...value];
  if (min_length !== undefined && length < min_length) {
    return fault('too_short', {
      en: `must have ${min_length} characters or more`,
      ja: `は${min_length}文字以上で入力してください`,
    });
  }
  if (max_length !== undefined && length > max_length) {
    return fault('too_long', {
      en: `must have ${max_length} characters or fewer`,
      ja: `は${max_length}文字以内で入力してください`,
    });
  }
  if (format !== undefined && !FORMS[format].test(value)) {
    return fault('invalid_format', {
      en: `must have the form of ${format.replace('_', ' ')}`,
      ja: `は${FORM_WORDS[format]}の形式で入力してください`,
    });
  }
  return null;
}

const FORM_WORDS = {
  digits: '数字',
  email: 'メールアドレス',
  phone: '電話番号',
  postal_code: '郵便番号',
} as const;

function fault(code: string, message: Text): ValueFault {
  return { code, message };
}
