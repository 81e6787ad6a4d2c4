import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellErrorText, errorLanguages } from '../../../../shared/platform/imports/cell-errors.ts';

const CODES = [
  'invalid_email',
  'missing_email',
  'too_long',
  'column_count',
  'bad_characters',
  'unclosed_quote',
  'required',
  'too_short',
  'too_small',
  'too_large',
  'invalid_format',
  'invalid_type',
  'invalid_json',
  'invalid_object',
  'too_many',
  'invalid_value',
  'unknown_reference',
  'ambiguous',
  'already_exists',
  'check_digit',
  'out_of_range',
  'duplicate',
  'invalid_characters',
  'invalid_id',
  'invalid_decimal',
  'unknown_currency',
  'too_many_decimals',
  'unknown_field',
  'not_lost',
  'invalid_transition',
  'cycle',
  'limit_reached',
];

test('every code of a faulty row has a sentence in each language of the report', () => {
  const silent = CODES.flatMap((code) =>
    errorLanguages
      .filter((language) => !cellErrorText(code, language))
      .map((language) => `${code} ${language}`),
  );
  assert.deepEqual(silent, []);
});
