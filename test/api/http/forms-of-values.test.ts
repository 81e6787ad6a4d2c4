import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { fieldErrorsOf } from '../../../api/http/field-errors.ts';
import { itemId } from '../../../shared/cloud/items/fields.ts';
import { DecimalSource } from '../../../shared/kernel/schema.ts';
import { AnswerInput } from '../../../shared/scheduler/bookings/record.ts';
import { FieldValueInput } from '../../../shared/sign/documents/values.ts';

/** What is said of a value that takes several forms. */
function told(schema: z.ZodType, value: unknown): string[] {
  const body = z.strictObject({ value: schema });
  const { error } = body.safeParse({ value });
  return fieldErrorsOf(error!, 'body', { value }).map(({ path, code, message }) => {
    return `${path} ${code}: ${typeof message === 'string' ? message : message.en}`;
  });
}

test('a value of a kind is judged by the form of that kind, and one of no kind is told all of them', () => {
  assert.deepEqual(told(FieldValueInput, { kind: 'text' }), ['/value/text required: value.text is required']);
  assert.deepEqual(told(FieldValueInput, { kind: 'image' }), [
    '/value/data required: value.data is required',
  ]);
  assert.deepEqual(told(FieldValueInput, { kind: 'written' }), [
    '/value/kind invalid_value: value.kind must be "typed", "drawn", "image", "text"',
  ]);
  assert.deepEqual(told(FieldValueInput, {}), [
    '/value/kind required: value.kind is required: "typed", "drawn", "image", "text"',
  ]);
});

test('a word that is missing is told with all that it may be', () => {
  assert.deepEqual(told(z.enum(['company', 'contact', 'deal']), undefined), [
    '/value required: value is required: "company", "contact", "deal"',
  ]);
});

test('a number that is too large where numbers are taken is not told to be a number', () => {
  assert.deepEqual(told(AnswerInput, new DecimalSource('12345678901234567890')), [
    '/value too_large: value must be 9007199254740991 or less',
  ]);
  assert.deepEqual(told(z.union([z.string(), z.boolean()]), new DecimalSource('12345678901234567890')), [
    '/value invalid_type: value must be a string or a boolean',
  ]);
});

test('an ID of a folder or of a file is told both', () => {
  for (const value of ['file_bad', 'fold_bad', 'inv_01kaj2n5w5fq8b4m0g3v7x9rtc']) {
    assert.deepEqual(told(itemId(), value), [
      '/value invalid_id: value must be an ID that begins with fold_ or file_',
    ]);
  }
  assert.equal(itemId().safeParse('file_01kaj2n5w5fq8b4m0g3v7x9rtc').success, true);
  assert.equal(itemId().safeParse('fold_01kaj2n5w5fq8b4m0g3v7x9rtc').success, true);
});

test('a text in the place of an array is told to be no array, and nothing of its length', () => {
  const lists = z.array(z.string()).min(2).max(20);
  for (const value of ['mlist_01kaj2n5w5fq8b4m0g3v7x9rtc', 'm']) {
    assert.deepEqual(told(lists, value), ['/value invalid_type: value must be an array']);
  }
  assert.deepEqual(told(lists, ['a']), ['/value too_small: value must have 2 or more']);
});
