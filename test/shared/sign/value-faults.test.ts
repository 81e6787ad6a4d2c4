import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { faultOfValue, type ValueRules } from '../../../shared/sign/documents/value-faults.ts';
import type { FieldValue } from '../../../shared/sign/documents/values.ts';

type Rules = ValueRules['validation'];

const codeOf = (type: ValueRules['type'], validation: Rules, value: string) =>
  faultOfValue({ type, options: null, validation }, value)?.code ?? null;

describe('the rules of one field', () => {
  test('hold numbers between least and most, both allowed, exactly', () => {
    const rules = { min: '-0.1', max: '9007199254740993.5' };
    for (const [value, code] of [
      ['-0.1', null],
      ['-0.10000000000000000001', 'too_small'],
      ['9007199254740993.5', null],
      ['9007199254740993.6', 'too_large'],
    ] as const) {
      assert.equal(codeOf('number', rules, value), code, value);
    }
  });

  test('count characters as people do, not halves of them', () => {
    const rules = { min_length: 2, max_length: 3 };
    for (const [value, code] of [
      ['𠮷', 'too_short'],
      ['𠮷野', null],
      ['𠮷野家', null],
      ['𠮷野家屋', 'too_long'],
    ] as const) {
      assert.equal(codeOf('text', rules, value), code, value);
    }
  });

  test('know digits, addresses, telephone numbers and postal codes', () => {
    for (const [format, right, wrong] of [
      ['digits', ['0123'], ['12a', '１２', '']],
      ['email', ['a@example.jp'], ['a@example', 'a b@example.jp', '@example.jp']],
      ['phone', ['03-1234-5678', '+81 3 1234 5678'], ['1234567', '03-1234-567x']],
      ['postal_code', ['105-0011', '1050011'], ['105-001', '10-50011']],
    ] as const) {
      for (const value of right) assert.equal(codeOf('text', { format }, value), null, value);
      for (const value of wrong) assert.equal(codeOf('text', { format }, value), 'invalid_format', value);
    }
  });

  test('take no letters that turn the order of a line in what stands as a name', () => {
    const turned = '佐藤\u202e 花子';
    const codeOfValue = (type: ValueRules['type'], value: FieldValue) =>
      faultOfValue({ type, options: null, validation: null }, value)?.code ?? null;
    assert.equal(codeOfValue('signature', { kind: 'typed', text: turned }), 'invalid_characters');
    assert.equal(codeOfValue('initials', { kind: 'typed', text: '\u2066A\u2069' }), 'invalid_characters');
    assert.equal(codeOfValue('stamp', { kind: 'text', text: '佐\u202e藤' }), 'invalid_characters');
    assert.equal(codeOfValue('name', turned), 'invalid_characters');
    assert.equal(codeOfValue('name', '\u0645\u062d\u0645\u062f'), null);
    assert.equal(codeOfValue('text', turned), null);
  });

  test('take no day from anybody', () => {
    assert.equal(codeOf('date', null, '2026-12-01'), 'not_allowed');
  });
});
