import { z } from 'zod';
import { languages, says } from '../../kernel/language.ts';
import { isOrigin } from '../../kernel/origin.ts';
import { keyText, storable } from '../../kernel/schema.ts';
import { condition } from './condition.ts';
import { words } from './texts.ts';
import { fileKinds, LONGEST_TEXT } from './words.ts';

export type { Condition, Leaf } from './condition.ts';
export type { Words } from './texts.ts';

/** What a schema and its parts are named by. None is a name that every JavaScript object has. */
const identifier = () =>
  keyText(/^[a-z][a-z0-9_]{0,63}$/, {
    en: 'must be 1 to 64 of a-z, 0-9 and _ and begin with a letter',
    ja: 'は英小文字で始まる英小文字、数字、アンダースコアの1〜64文字で指定してください',
  });

/** An exact decimal, as text or as a number of JSON: 15 digits before the point, 6 after it. */
const decimal = () =>
  z
    .custom<string | number>(() => true)
    .refine((value) => isBoundedDecimal(value), {
      params: { code: 'invalid_decimal' },
      error: says({
        en: 'must be a decimal of at most 15 digits before the point and 6 after it, without an exponent',
        ja: 'は整数部15桁、小数部6桁までの、指数表記を使わない小数で指定してください',
      }),
    });

function isBoundedDecimal(value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  return /^-?\d{1,15}(\.\d{1,6})?$/.test(String(value));
}

const option = z.strictObject({ id: identifier(), label: words() });

/** Something that can be chosen. */
export type Option = z.output<typeof option>;

const common = {
  id: identifier(),
  label: words(),
  help: words().optional(),
  placeholder: words().optional(),
  required: z.boolean().optional(),
  required_if: condition().optional(),
  show_if: condition().optional(),
  default: z.unknown().optional(),
  message: words().optional(),
};

const length = (most: number) => z.int().min(0).max(most).optional();

const text = <Type extends keyof typeof LONGEST_TEXT>(type: Type) =>
  z.strictObject({
    ...common,
    type: z.literal(type),
    min_length: length(LONGEST_TEXT[type]),
    max_length: length(LONGEST_TEXT[type]),
    pattern: storable(z.string().min(1).max(200)).optional(),
  });

const plain = <const Type extends string>(type: Type) => z.strictObject({ ...common, type: z.literal(type) });

/** A bound as written: whether it is a value of the field's type is judged with the form's other parts. */
const bounded = <const Type extends string>(type: Type) =>
  z.strictObject({
    ...common,
    type: z.literal(type),
    min: z.string().max(40).optional(),
    max: z.string().max(40).optional(),
  });

const options = (most = 200) => z.array(option).min(2).max(most);

const chosen = <const Type extends string>(type: Type) =>
  z.strictObject({
    ...common,
    type: z.literal(type),
    options: options(),
    allow_other: z.boolean().optional(),
  });

const Field = z.discriminatedUnion('type', [
  text('short_text'),
  text('long_text'),
  plain('email'),
  plain('phone'),
  plain('url'),
  z.strictObject({
    ...common,
    type: z.literal('number'),
    min: decimal().optional(),
    max: decimal().optional(),
    decimals: z.int().min(0).max(6).optional(),
  }),
  bounded('date'),
  bounded('time'),
  bounded('datetime'),
  chosen('choice'),
  chosen('dropdown'),
  chosen('multi_choice').extend({
    min_selected: z.int().min(0).max(201).optional(),
    max_selected: z.int().min(1).max(201).optional(),
  }),
  plain('yes_no'),
  plain('consent').extend({ text: words() }),
  plain('rating').extend({ max: z.int().min(3).max(10).optional() }),
  plain('nps'),
  plain('scale').extend({
    min: z.int().min(0).max(1),
    max: z.int().min(2).max(10),
    min_label: words().optional(),
    max_label: words().optional(),
  }),
  plain('matrix').extend({
    rows: z.array(option).min(1).max(20),
    columns: z.array(option).min(1).max(10),
    multiple: z.boolean().optional(),
  }),
  plain('ranking').extend({ options: options(20) }),
  plain('name').extend({ kana: z.boolean().optional() }),
  plain('address'),
  plain('file').extend({
    max_files: z.int().min(1).max(10).optional(),
    max_mib: z.int().min(1).max(25).optional(),
    accept: z.array(z.enum(fileKinds)).min(1).max(fileKinds.length).optional(),
  }),
  plain('statement').extend({ text: words(10_000) }),
]);

/** A field of a page; of one type with `Extract<Field, { type: 'number' }>`. */
export type Field = z.output<typeof Field>;

export type FieldOf<Type extends Field['type']> = Extract<Field, { type: Type }>;

/** Rules of a page, or of a score: as many as a schema may have leaves of conditions. */
const MOST_RULES = 500;

const rule = z.strictObject({
  if: condition().optional(),
  to: z.string().regex(
    /^(end:)?[a-z][a-z0-9_]{0,63}$/,
    says({
      en: 'must be the ID of a page, or end: and the ID of an ending',
      ja: 'はページのID、または end: に続けて終了画面のIDで指定してください',
    }),
  ),
});

const page = z.strictObject({
  id: identifier(),
  title: words().optional(),
  description: words().optional(),
  show_if: condition().optional(),
  fields: z.array(Field).max(200),
  next: z.array(rule).max(MOST_RULES).optional(),
});

export type Page = z.output<typeof page>;

const ending = z.strictObject({
  id: identifier(),
  if: condition().optional(),
  title: words(),
  body: words().optional(),
  redirect_url: z
    .string()
    .max(2_000)
    .refine(isSecureAddress, {
      params: { code: 'invalid_format' },
      error: says({
        en: 'must be an address that begins with https://',
        ja: 'は https:// で始まるURLで指定してください',
      }),
    })
    .optional(),
});

export type Ending = z.output<typeof ending>;

/** Of one site: its origin stands in the policy of the form's page. */
function isSecureAddress(text: string): boolean {
  if (!/^https:\/\/[^\s\p{Cc}]+$/iu.test(text) || !text.isWellFormed()) return false;
  const url = URL.parse(text);
  return url !== null && isOrigin(url.origin);
}

const score = z.strictObject({
  name: identifier(),
  initial: decimal(),
  add: z.array(z.strictObject({ if: condition(), value: decimal() })).max(MOST_RULES),
});

/** A schema as it is written. What its parts say about each other is judged by `parseSchema` and `publishFaults`. */
export const Schema = z.strictObject({
  version: z.literal(1),
  locale: z.enum(languages),
  title: words().optional(),
  description: words().optional(),
  pages: z.array(page).min(1).max(50),
  endings: z.array(ending).max(20).optional(),
  hidden: z.array(identifier()).max(20).optional(),
  scores: z.array(score).max(20).optional(),
});

export type Schema = z.output<typeof Schema>;

/** All fields of a schema in their order. */
export function fieldsOf({ pages }: Schema): Field[] {
  return pages.flatMap(({ fields }) => fields);
}
