import { z } from 'zod';
import { says } from '../../kernel/language.ts';
import { DecimalSource, decimalInput, freeText } from '../../kernel/schema.ts';
import { name } from '../../platform/access/names.ts';
import type { FieldType } from './words.ts';

/** Points that a drawn signature may have in all its strokes. */
export const MOST_POINTS = 10_000;

/** Bytes that an image may have before it is written in base64. */
export const MOST_IMAGE_BYTES = 256 * 1024;

/** A part of the page, or of a box: from 0 to 1. It is a measurement and no amount, so it is kept in binary. */
export function fraction() {
  return z
    .union([z.number(), z.instanceof(DecimalSource)])
    .transform((value) => Number(value instanceof DecimalSource ? value.text : value))
    .pipe(z.number().min(0).max(1))
    .meta({ jsonSchema: { type: 'number', minimum: 0, maximum: 1 } });
}

const typed = z.strictObject({
  kind: z.literal('typed'),
  text: name(100).meta({ examples: ['佐藤 花子'] }),
});

const image = z.strictObject({
  kind: z.literal('image'),
  data: z
    .string()
    .max(Math.ceil(MOST_IMAGE_BYTES / 3) * 4)
    .refine(isImage, {
      params: { code: 'invalid_image' },
      error: says({
        en: 'must be a PNG or a JPEG in base64',
        ja: 'はBase64で表したPNGまたはJPEGで指定してください',
      }),
    })
    .describe('PNG or JPEG in base64, 256 KiB at most before that. It is stored as it is drawn anew.')
    .meta({
      examples: [
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+M8AAQUBAScY42YAAAAASUVORK5CYII=',
      ],
    }),
});

const point = z.tuple([fraction(), fraction()]);

const drawn = z.strictObject({
  kind: z.literal('drawn'),
  strokes: z
    .array(z.array(point).min(1))
    .min(1)
    .max(1_000)
    .refine((strokes) => strokes.reduce((sum, { length }) => sum + length, 0) <= MOST_POINTS, {
      params: { code: 'too_large' },
      error: says({
        en: `must have ${MOST_POINTS} points or fewer`,
        ja: `の点は${MOST_POINTS}個以内で指定してください`,
      }),
    })
    .describe('Points of the box from its upper left corner, each number from 0 to 1.')
    .meta({
      examples: [
        [
          [
            [0.1, 0.5],
            [0.4, 0.2],
          ],
        ],
      ],
    }),
});

const sealText = z.strictObject({
  kind: z.literal('text'),
  text: name(8)
    .refine((text) => [...text].length <= 4, {
      params: { code: 'too_long' },
      error: says({ en: 'must have 4 characters or fewer', ja: 'は4文字以内で指定してください' }),
    })
    .meta({ examples: ['佐藤'] }),
});

/** What a signature or initials are: typed, drawn, or an image. */
export const SignatureValue = z
  .discriminatedUnion('kind', [typed, drawn, image])
  .meta({ id: 'SignSignatureValue' });

/** What a stamp (印影) is: an image, or up to four characters in a red ring. */
export const StampValue = z.discriminatedUnion('kind', [image, sealText]).meta({ id: 'SignStampValue' });

/** The value of any field, as it is stored and shown. Decimals are strings, days YYYY-MM-DD. */
export const FieldValue = z.union([z.string(), z.boolean(), SignatureValue, StampValue]);

export type FieldValue = z.output<typeof FieldValue>;

/** The same as callers write it: a decimal may be a number. */
export const FieldValueInput = z.union([
  freeText(2_000),
  z.boolean(),
  SignatureValue,
  StampValue,
  decimalInput(),
]);

const texts = freeText(2_000);

/** What the value of a field may be, by the field's type; the rules of one field alone are `faultOfValue`. */
export const valueSchemas: Readonly<Record<FieldType, z.ZodType<FieldValue>>> = {
  signature: SignatureValue,
  initials: SignatureValue,
  stamp: StampValue,
  name: texts,
  text: texts,
  date: z.string(),
  number: decimalInput(),
  checkbox: z.boolean(),
  radio: texts,
  select: texts,
};

/** Whether a text is base64 whose first bytes are those of a PNG or JPEG. */
function isImage(data: string): boolean {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(data) || data.length % 4 !== 0) return false;
  return data.startsWith('iVBORw0KGgo') || data.startsWith('/9j/');
}
