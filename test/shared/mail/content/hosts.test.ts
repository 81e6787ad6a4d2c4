import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostFaults } from '../../../../shared/mail/content/hosts.ts';

const refused: readonly [text: string, position: number, source: string][] = [
  ['https://shop.example{{attributes.x}}', 20, '{{attributes.x}}'],
  ['https://shop.example{{attributes.x}}/a', 20, '{{attributes.x}}'],
  ['https://shop.example.{{attributes.x|jp}}?a', 21, '{{attributes.x|jp}}'],
  ['HTTP://{{attributes.x}}', 7, '{{attributes.x}}'],
  ['https://{{attributes.x}}.example', 8, '{{attributes.x}}'],
  ['https://shop.example{{attributes.x}}./', 20, '{{attributes.x}}'],
  ['https://{{first_name}}@shop.example/', 8, '{{first_name}}'],
  ['https://a.shop.example{{email}}{{attributes.x}}', 31, '{{attributes.x}}'],
  ['見る: https://shop.example{{attributes.x}}\n', 24, '{{attributes.x}}'],
  ['https://a.example/ https://b.example{{attributes.x}}', 36, '{{attributes.x}}'],
];

for (const [text, position, source] of refused) {
  test(`a value may not end the host: ${text.trim()}`, () => {
    assert.deepEqual(hostFaults(text, { in_text: true }), [{ position, kind: 'in_host', source }]);
  });
}

const accepted = [
  'https://{{attributes.shop}}.shop.example/a',
  'https://x-{{attributes.shop}}.shop.example:8080',
  'https://shop.example/{{attributes.x}}',
  'https://shop.example?{{attributes.x}}',
  '{{view_url}}',
  'https://shop.example、{{first_name}}様',
  'https://shop.example {{first_name}}',
  'https://shop.example{{first_name',
];

for (const text of accepted) {
  test(`a value that leads no further: ${text}`, () =>
    assert.deepEqual(hostFaults(text, { in_text: true }), []));
}

test('an address of HTML may have letters of any script', () => {
  const text = 'https://日本.example{{attributes.x}}';
  assert.equal(hostFaults(text, { in_text: false }).length, 1);
});
