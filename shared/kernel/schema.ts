import { z } from 'zod';
import { isId, type Prefix } from './id.ts';
import { says, type Text } from './language.ts';
import { madeOnce } from './made-once.ts';

/**
 * The kinds of value that the API's fields have. Each says what it takes, so that the OpenAPI text, the checks of
 * input and the checks of answers come from one place.
 */

/** Letters that no text may hold: NUL, which PostgreSQL cannot store, and halves of surrogate pairs. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * Names that every JavaScript object has or reacts to: as keys of an open object they could be lost, or be found where
 * nobody gave them. No body may use them, and no record may have one as a key that bodies name it by.
 */
export function isRefusedName(name: string): boolean {
  return name === '__proto__' || name === 'constructor' || name === 'prototype';
}

/** A key that bodies name a record by; of that form, and none of the refused names. */
export function keyText(form: RegExp, error: Text) {
  return z
    .string()
    .regex(form, says(error))
    .refine((key) => !isRefusedName(key), {
      params: { code: 'invalid_value' },
      error: says({
        en: 'must not be constructor or prototype',
        ja: 'に constructor と prototype は使えません',
      }),
    });
}

/** A fault that a rule of its own has found at a field; `predicate` follows the name of the field. */
export function addFault(
  issues: Pick<z.core.$RefinementCtx, 'addIssue'>,
  field: string,
  code: string,
  predicate: Text,
): void {
  issues.addIssue({ code: 'custom', path: [field], params: { code }, message: says(predicate) });
}

/** Text without those letters. */
export const storable = (schema: z.ZodString) =>
  schema.refine(isStorable, {
    params: { code: 'invalid_characters' },
    error: says({
      en: 'must not hold NUL characters or unpaired surrogates',
      ja: 'に使えない文字（NULまたは不完全なサロゲート）が含まれています',
    }),
  });

/** One line or more of text, trimmed, of 1 to `longest` characters. */
export const text = madeOnce((longest: number) => {
  return storable(z.string().trim().min(1).max(longest));
});

/** Text that keeps its spaces and may be empty. */
export const freeText = madeOnce((longest: number) => {
  return storable(z.string().max(longest));
});

/**
 * A member that changes without its record: with the time, with other records, or with who asks. It stands in answers
 * alone; events leave it out, and the OpenAPI text marks it.
 */
export function computed<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ readOnly: true, 'x-computed': true });
}

/** The names of the members of a shape that are computed. */
export function computedIn({ shape }: { shape: Readonly<Record<string, z.ZodType>> }): string[] {
  return Object.keys(shape).filter((name) => shape[name]!.meta()?.['x-computed'] === true);
}

/** An ID with that prefix, or with one of several. */
export const id = madeOnce((prefix: Prefix, ...others: Prefix[]) => {
  const prefixes = [prefix, ...others];
  const starts = prefixes.map((each) => `${each}_`);
  return z
    .string()
    .refine((value) => prefixes.some((each) => isId(value, each)), {
      params: { code: 'invalid_id' },
      error: says({
        en: `must be an ID that begins with ${starts.join(' or ')}`,
        ja: `は ${starts.join(' または ')} で始まるIDで指定してください`,
      }),
    })
    .meta({
      pattern: `^${others.length === 0 ? prefix : `(?:${prefixes.join('|')})`}_[0-7][0-9a-hjkmnp-tv-z]{25}$`,
      examples: [`${prefix}_01kaj2n5w5fq8b4m0g3v7x9rtc`],
    });
});

/** The path parameters of a single record. */
export const byId = madeOnce((prefix: Prefix) => {
  return z.object({ id: id(prefix) });
});

/**
 * E-mail by the HTML standard's rule (its `input type=email`), 254 characters at most, as written.
 * https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
 */
export const email = madeOnce(() => {
  return z
    .string()
    .trim()
    .max(254)
    .regex(z.regexes.html5Email, {
      error: says({ en: 'must be an e-mail address', ja: 'はメールアドレスの形式で入力してください' }),
      abort: true,
    })
    .meta({
      format: 'email',
      examples: ['hanako.yamada@example.co.jp'],
    });
});

/** An instant in an answer: ISO 8601, UTC, milliseconds. */
export const timestamp = madeOnce(() => {
  return z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
    .meta({ format: 'date-time', examples: ['2026-04-01T00:30:00.000Z'] });
});

/** An instant as callers may write it: ISO 8601 with a zone; it becomes UTC with milliseconds. */
export const timestampInput = madeOnce(() => {
  return z.iso
    .datetime({
      offset: true,
      error: says({
        en: 'must be an ISO 8601 time with its zone, for example 2026-04-01T09:30:00+09:00',
        ja: 'は 2026-04-01T09:30:00+09:00 のようなタイムゾーン付きのISO 8601形式の日時で指定してください',
      }),
    })
    .transform((value, context) => {
      const time = new Date(value);
      if (isStorableTime(time)) return time.toISOString();
      context.addIssue({
        code: 'custom',
        params: { code: 'invalid_format' },
        message: says({ en: 'is no day of the calendar', ja: 'は暦にない日付です' }),
      });
      return z.NEVER;
    })
    .meta({ examples: ['2026-04-01T00:30:00.000Z'] });
});

/** The years 1 to 9999 in UTC: PostgreSQL knows no year 0, and later ones have more digits. */
function isStorableTime(time: Date): boolean {
  const year = time.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/** A day of the calendar: YYYY-MM-DD, from the year 1. */
export const day = madeOnce(() => {
  return z.iso
    .date({
      error: says({ en: 'must be a day as YYYY-MM-DD', ja: 'は YYYY-MM-DD 形式の日付で指定してください' }),
    })
    .refine((value) => !value.startsWith('0000'), {
      params: { code: 'invalid_format' },
      error: says({ en: 'is no day of the calendar', ja: 'は暦にない日付です' }),
    })
    .meta({ examples: ['2026-04-01'] });
});

/** The IANA name of a time zone (`Asia/Tokyo`, `UTC`) as it is written there; neither an offset nor a short form. */
export const timeZone = madeOnce(() => {
  return z
    .string()
    .refine(isTimeZone, {
      params: { code: 'invalid_time_zone' },
      error: says({
        en: 'must be the IANA name of a time zone, for example Asia/Tokyo',
        ja: 'は Asia/Tokyo のようなIANAのタイムゾーン名で指定してください',
      }),
    })
    .meta({ examples: ['Asia/Tokyo'] });
});

function isTimeZone(value: string): boolean {
  return /^(UTC|[A-Za-z_]+(\/[A-Za-z0-9_+-]+)+)$/.test(value) && timeZoneIdOf(value) === value;
}

/**
 * A time zone as callers may name it: any name of the IANA database, links and other cases among them; it becomes the name
 * as it is written there. Offsets and short forms are refused.
 */
export const timeZoneInput = madeOnce(() => {
  return z
    .string()
    .max(100)
    .transform((value, context) => {
      const known = /^[A-Za-z][A-Za-z0-9_+/-]*$/.test(value) ? timeZoneIdOf(value) : null;
      if (known !== null) return known;
      context.addIssue({
        code: 'custom',
        params: { code: 'invalid_time_zone' },
        message: says({
          en: 'must be the IANA name of a time zone, for example Asia/Tokyo',
          ja: 'は Asia/Tokyo のようなIANAのタイムゾーン名で指定してください',
        }),
      });
      return z.NEVER;
    })
    .meta({ examples: ['Asia/Tokyo'] });
});

/** Names that were found right: they are as few as the zones of the database, and each record of a list has some. */
const zones = new Map<string, string>();

function timeZoneIdOf(name: string): string | null {
  const known = zones.get(name);
  if (known !== undefined) return known;
  try {
    const { timeZoneId } = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    // Another writing of the name is one more entry: callers would fill the table with them.
    if (timeZoneId === name) zones.set(name, timeZoneId);
    return timeZoneId;
  } catch {
    return null;
  }
}

/**
 * A number that arrived with a fraction, an exponent or beyond 2^53: its source text, so that nothing passes through binary
 * floating point.
 */
export class DecimalSource {
  readonly text: string;
  constructor(source: string) {
    this.text = source;
  }
}

const PLAIN_DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** Whether the text is a plain decimal of a sane length, without an exponent. */
export function isDecimal(text: string): boolean {
  return PLAIN_DECIMAL.test(text) && text.length <= 40;
}

/**
 * An exact decimal: a string, or a number taken from its source text. Exponents are refused.
 * Answers the text, for example "1234.50".
 */
export const decimalInput = madeOnce(() => {
  return z
    .union([z.string(), z.number(), z.instanceof(DecimalSource)])
    .transform((value) => (value instanceof DecimalSource ? value.text : String(value)))
    .refine(isDecimal, {
      params: { code: 'invalid_decimal' },
      error: says({
        en: 'must be a decimal without an exponent, for example "1234.5"',
        ja: 'は "1234.5" のような指数表記を使わない小数で指定してください',
      }),
    })
    .meta({
      jsonSchema: { type: ['string', 'number'], pattern: PLAIN_DECIMAL.source },
      examples: ['1234.5'],
    });
});

/** A whole number in a query string. */
export const integerParameter = madeOnce((least: number, most: number) => {
  return z
    .string()
    .regex(
      least < 0 ? /^-?\d{1,15}$/ : /^\d{1,15}$/,
      says({ en: 'must be a whole number', ja: 'は整数で指定してください' }),
    )
    .transform(Number)
    .pipe(z.int().min(least).max(most))
    .meta({ jsonSchema: { type: 'integer', minimum: least, maximum: most } });
});

/** `true` or `false` in a query string. */
export const booleanParameter = madeOnce(() => {
  return z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .meta({ jsonSchema: { type: 'boolean' } });
});
