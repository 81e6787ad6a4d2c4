import type { Text } from './language.ts';

/** What stands before a predicate where a fault is about the whole. */
export const wholes: Record<'body' | 'query', Text> = {
  body: { en: 'The body', ja: '本文' },
  query: { en: 'The query', ja: 'クエリ' },
};

const types: Record<string, Text> = {
  int: { en: 'a whole number', ja: '整数' },
  number: { en: 'a number', ja: '数値' },
  string: { en: 'a string', ja: '文字列' },
  boolean: { en: 'a boolean', ja: '真偽値' },
  array: { en: 'an array', ja: '配列' },
  object: { en: 'an object', ja: 'オブジェクト' },
  record: { en: 'an object', ja: 'オブジェクト' },
  null: { en: 'null', ja: 'null' },
};

/** Whether a type that a schema expects has words of its own. */
export function isNamedType(expected: string): boolean {
  return Object.hasOwn(types, expected);
}

type Bound = number | bigint;

/** What can be wrong with a field by the rules that schemas have in common; the name of the field comes before. */
export const predicates = {
  required: { en: 'is required', ja: 'は必須です' },
  empty: { en: 'must not be empty', ja: 'を入力してください' },
  not_valid: { en: 'is not valid', ja: 'が正しくありません' },
  unknown_field: { en: 'is no field of this request', ja: 'という項目はこのリクエストにはありません' },
  /** With the names of those that there are. */
  unknownParameter: (taken: readonly string[]): Text => {
    const en = taken.length === 0 ? 'which takes none' : `which takes ${taken.join(', ')}`;
    const ja = taken.length === 0 ? '指定できるものはありません' : `指定できるもの：${taken.join('、')}`;
    return {
      en: `is no parameter of this endpoint, ${en}`,
      ja: `というパラメーターはこのエンドポイントにはありません。${ja}`,
    };
  },
  repeated_parameter: { en: 'is given twice', ja: 'が重複して指定されています' },
  nul: { en: 'must not hold NUL characters', ja: 'にNUL文字は使えません' },
  refused_name: { en: 'is a name that no field can have', ja: 'という名前の項目は使えません' },
  type: (expected: string): Text => {
    const { en, ja } = types[expected] ?? { en: `a ${expected}`, ja: expected };
    return { en: `must be ${en}`, ja: `は${ja}で指定してください` };
  },
  anyType: (expected: readonly string[]): Text => {
    const all = expected.map((type) => types[type]!);
    const last = all.at(-1)!;
    const before = all.slice(0, -1);
    const en = before.length === 0 ? last.en : `${before.map((each) => each.en).join(', ')} or ${last.en}`;
    return {
      en: `must be ${en}`,
      ja: `は${all.map((each) => each.ja).join('・')}のいずれかで指定してください`,
    };
  },
  oneOf: (values: readonly unknown[]): Text => {
    const listed = values.map((value) => JSON.stringify(value));
    return {
      en: `must be ${listed.join(', ')}`,
      ja: `は次のいずれかを指定してください：${listed.join('、')}`,
    };
  },
  requiredOneOf: (values: readonly unknown[]): Text => {
    const listed = values.map((value) => JSON.stringify(value));
    return {
      en: `is required: ${listed.join(', ')}`,
      ja: `は必須です。次のいずれかを指定してください：${listed.join('、')}`,
    };
  },
  form: (format: string): Text => ({
    en: `must be of the form ${format}`,
    ja: `は${format}の形式で指定してください`,
  }),
  pattern: (pattern: string): Text => ({
    en: `must match the pattern ${pattern}`,
    ja: `は次のパターンに一致する必要があります：${pattern}`,
  }),
  tooShort: (least: Bound): Text => ({
    en: `must have ${least} characters or more`,
    ja: `は${least}文字以上で入力してください`,
  }),
  tooLong: (most: Bound): Text => ({
    en: `must have ${most} characters or fewer`,
    ja: `は${most}文字以内で入力してください`,
  }),
  tooFew: (least: Bound): Text => ({
    en: `must have ${least} or more`,
    ja: `は${least}件以上指定してください`,
  }),
  tooMany: (most: Bound): Text => ({
    en: `must have ${most} or fewer`,
    ja: `は${most}件以内で指定してください`,
  }),
  tooSmall: (least: Bound): Text => ({
    en: `must be ${least} or more`,
    ja: `は${least}以上で指定してください`,
  }),
  tooLarge: (most: Bound): Text => ({ en: `must be ${most} or less`, ja: `は${most}以下で指定してください` }),
} as const;
