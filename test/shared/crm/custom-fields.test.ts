import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type CustomFieldRule,
  type CustomFieldValues,
  changeCustomFields,
  customFieldTypes,
} from '../../../shared/crm/custom-fields/values.ts';
import { DecimalSource } from '../../../shared/kernel/schema.ts';

const rules: CustomFieldRule[] = customFieldTypes.map((type) => ({
  key: type,
  type,
  options: type.endsWith('select') ? ['A', 'B', '最高'] : [],
}));

function changed(sent: Record<string, unknown>, before: CustomFieldValues = {}): CustomFieldValues {
  const result = changeCustomFields(before, sent, rules);
  assert.ok('values' in result, JSON.stringify(result));
  return result.values;
}

function faultsOf(sent: Record<string, unknown>): string[] {
  const result = changeCustomFields({}, sent, rules);
  assert.ok('faults' in result, JSON.stringify(result));
  return result.faults.map(({ path, code }) => `${path} ${code}`);
}

describe('a custom field takes', () => {
  const right: [string, unknown, unknown][] = [
    ['text', '', ''],
    ['text', 'a\nb', 'a\nb'],
    ['number', 42, 42],
    ['number', '-42.50', -42.5],
    ['number', new DecimalSource('0.1'), 0.1],
    ['number', new DecimalSource('1.00'), 1],
    ['number', new DecimalSource('12345678901234567890'), '12345678901234567890'],
    ['number', '0.12345678901234567890123', '0.12345678901234567890123'],
    ['number', new DecimalSource('-0.0'), 0],
    ['date', '2024-02-29', '2024-02-29'],
    ['boolean', false, false],
    ['select', '最高', '最高'],
    ['multi_select', ['B', 'A'], ['B', 'A']],
    ['multi_select', [], []],
    ['url', 'https://例え.jp/道?a=1', 'https://例え.jp/道?a=1'],
  ];
  for (const [key, sent, kept] of right) {
    it(`${JSON.stringify(sent)} as ${key}`, () =>
      assert.deepEqual(changed({ [key]: sent }), { [key]: kept }));
  }
});

describe('a custom field refuses', () => {
  const wrong: [string, unknown, string][] = [
    ['text', 1, 'invalid_type'],
    ['text', 'a\0', 'invalid_characters'],
    ['text', '\ud800', 'invalid_characters'],
    ['text', 'x'.repeat(10_001), 'too_long'],
    ['number', 'many', 'invalid_decimal'],
    ['number', new DecimalSource('1e3'), 'invalid_decimal'],
    ['number', true, 'invalid_decimal'],
    ['number', '9'.repeat(41), 'invalid_decimal'],
    ['date', '2023-02-29', 'invalid_format'],
    ['date', 20240229, 'invalid_format'],
    ['boolean', 'true', 'invalid_type'],
    ['select', 'C', 'invalid_value'],
    ['select', ['A'], 'invalid_value'],
    ['multi_select', 'A', 'invalid_value'],
    ['multi_select', ['A', 'C'], 'invalid_value'],
    ['multi_select', ['A', 'A'], 'duplicate'],
    ['url', 'example.com', 'invalid_format'],
    ['url', 'javascript:alert(1)', 'invalid_format'],
    ['url', `https://example.com/${'x'.repeat(2000)}`, 'too_long'],
    ['colour', 'red', 'unknown_field'],
    ['a/b~c', 'red', 'unknown_field'],
    ['__proto__x', {}, 'unknown_field'],
  ];
  for (const [key, sent, code] of wrong) {
    it(`${JSON.stringify(sent).slice(0, 40)} as ${key}`, () => {
      const place = key.replaceAll('~', '~0').replaceAll('/', '~1');
      assert.deepEqual(faultsOf({ [key]: sent }), [`/custom_fields/${place} ${code}`]);
    });
  }

  it('all that is wrong at once', () => {
    assert.deepEqual(faultsOf({ text: 1, number: 2, boolean: 3 }), [
      '/custom_fields/text invalid_type',
      '/custom_fields/boolean invalid_type',
    ]);
  });
});

describe('custom fields of a record', () => {
  it('change only where they are sent, and are cleared by null', () => {
    assert.deepEqual(changed({ number: 2, text: null, date: null }, { text: 'a', boolean: true }), {
      number: 2,
      boolean: true,
    });
  });

  it('keep the values of a definition that is gone', () => {
    assert.deepEqual(changed({ number: 2 }, { old: 'x' }), { old: 'x', number: 2 });
  });

  it('stand in one order, however they were sent, and never change what was before', () => {
    const sent = fc.record(
      { text: fc.string(), number: fc.integer(), boolean: fc.boolean(), select: fc.constant('A') },
      { requiredKeys: [], noNullPrototype: true },
    );
    fc.assert(
      fc.property(sent, (values) => {
        const safe = {
          ...values,
          ...(values.text === undefined ? {} : { text: values.text.replaceAll('\0', '') }),
        };
        const turned = Object.fromEntries(Object.entries(safe).toReversed());
        const before = {};
        const result = changed(safe, before);
        assert.equal(JSON.stringify(changed(turned)), JSON.stringify(result));
        assert.equal(JSON.stringify(changed({}, result)), JSON.stringify(result));
        assert.deepEqual(before, {});
      }),
    );
  });
});
