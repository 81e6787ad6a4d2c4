import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Failure } from '../../../../shared/kernel/failure.ts';
import {
  asAddress,
  asHeader,
  asHtml,
  asText,
  filled,
  namesIn,
  parsePlaceholders,
  placeholderNames,
  requirePlaceholders,
  type Values,
} from '../../../../shared/mail/content/placeholders.ts';

const nobody: Values = {
  email: 'hanako@example.co.jp',
  first_name: null,
  last_name: null,
  full_name: null,
  sender_name: '山田商店',
  sender_address: '東京都千代田区丸の内1-1-1',
  sender_contact: '03-1234-5678',
  unsubscribe_url: 'https://service.example/m/u/1',
  view_url: 'https://service.example/m/v/1',
  sent_date: '2026-11-27',
  attributes: {},
};

const { pieces } = parsePlaceholders('{{last_name|お客様}} 様');

describe('a text is taken apart at its placeholders', () => {
  const cases: readonly [text: string, pieces: readonly unknown[]][] = [
    ['', []],
    ['no } place { here }}', ['no } place { here }}']],
    ['{{email}}', [{ name: 'email', fallback: null }]],
    ['a{{ last_name |x}}b', ['a', { name: 'last_name', fallback: 'x' }, 'b']],
    ['{{last_name|}}', [{ name: 'last_name', fallback: '' }]],
    ['{{last_name|a|b}}', [{ name: 'last_name', fallback: 'a|b' }]],
    ['{{attributes.会社.名 1|御社}}', [{ name: 'attributes.会社.名 1', fallback: '御社' }]],
    ['{{attributes.constructor}}', [{ name: 'attributes.constructor', fallback: null }]],
    [
      '{{view_url}}{{email}}',
      [
        { name: 'view_url', fallback: null },
        { name: 'email', fallback: null },
      ],
    ],
  ];
  for (const [text, expected] of cases) {
    test(text || 'nothing', () => {
      assert.deepEqual(parsePlaceholders(text), { pieces: expected, faults: [] });
    });
  }

  test('every name of the list is known', () => {
    const text = placeholderNames.map((name) => `{{${name}}}`).join('');
    assert.deepEqual(namesIn([text, null, text]), placeholderNames);
  });
});

describe('unknown and unclosed placeholders are told with their position', () => {
  const cases: readonly [text: string, position: number, kind: string, source: string][] = [
    ['{{constructor}}', 0, 'unknown', '{{constructor}}'],
    ['様{{a.b.c}}', 1, 'unknown', '{{a.b.c}}'],
    ['{{attributes.}}', 0, 'unknown', '{{attributes.}}'],
    ['{{}}', 0, 'unknown', '{{}}'],
    ['{{{email}}}', 0, 'unknown', '{{{email}}'],
    ['{{Email}}', 0, 'unknown', '{{Email}}'],
    ['様 {{last_name|{{first_name}}}}', 2, 'unknown', '{{last_name|{{first_name}}'],
    ['{{email}} and {{email', 14, 'unclosed', '{{email'],
    ['a {{', 2, 'unclosed', '{{'],
    [`{{${'x'.repeat(57)}😀`, 0, 'unclosed', `{{${'x'.repeat(57)}�`],
  ];
  for (const [text, position, kind, source] of cases) {
    test(text, () => assert.deepEqual(parsePlaceholders(text).faults, [{ position, kind, source }]));
  }

  test('422 names the field and counts characters from 1', () => {
    assert.throws(
      () => requirePlaceholders({ subject: '{{email}}', body_html: '<p>{{b}}{{', body_text: null }),
      (error) => {
        assert.ok(error instanceof Failure);
        assert.deepEqual(
          error.details.errors?.map(({ path, code, message }) => [path, code, message.en.slice(0, 22)]),
          [
            ['/body_html', 'unknown_placeholder', '{{b}} at character 4 i'],
            ['/body_html', 'unknown_placeholder', '{{ at character 9 is n'],
          ],
        );
        return true;
      },
    );
  });
});

describe('a text is filled in', () => {
  const known = { ...nobody, last_name: 'A&B <x>' };

  test('escaped in HTML, as it is in a text, with the fallback for nobody', () => {
    assert.equal(filled(pieces, known, asHtml).text, 'A&amp;B &lt;x&gt; 様');
    assert.equal(filled(pieces, known, asText).text, 'A&B <x> 様');
    assert.equal(filled(pieces, nobody, asHtml).text, 'お客様 様');
    assert.equal(filled(pieces, { ...nobody, last_name: '' }, asText).text, 'お客様 様');
  });

  test('a missing value is told by its name once, an empty fallback is none', () => {
    const texts = parsePlaceholders('{{first_name}}{{first_name}}{{last_name|}}{{attributes.toString}}.');
    assert.deepEqual(filled(texts.pieces, nobody, asText), {
      text: '.',
      missing: ['first_name', 'attributes.toString'],
    });
  });

  test('a value is never read as a placeholder', () => {
    assert.equal(filled(pieces, { ...nobody, last_name: '{{email}}' }, asText).text, '{{email}} 様');
  });
});

describe('no value says anything where it stands', () => {
  const value = fc.string({ unit: 'binary', maxLength: 40 });

  test('in HTML it is text, and is read back as it was', () => {
    fc.assert(
      fc.property(value, (text) => {
        const written = asHtml(text);
        assert.doesNotMatch(written, /[<>"']/);
        assert.equal(
          written.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => LETTERS[name]!),
          text,
        );
      }),
    );
  });

  test('in an address it is a part', () => {
    fc.assert(
      fc.property(value, (text) => {
        const written = asAddress(text);
        assert.match(written, /^[A-Za-z0-9._~%-]*$/);
        assert.equal(decodeURIComponent(written), text.toWellFormed());
      }),
    );
  });

  test('in a header it is on one line', () => {
    fc.assert(fc.property(value, (text) => assert.doesNotMatch(asHeader(text), /[\p{Cc}\u2028\u2029]/u)));
  });

  test('the text around it stays', () => {
    fc.assert(
      fc.property(value, value, value, (before, text, after) => {
        const around = [before, after].map((part) => part.replaceAll(/[{}]/g, ''));
        const template = parsePlaceholders(around.join('{{last_name}}'));
        const { text: made } = filled(template.pieces, { ...nobody, last_name: `x${text}` }, asText);
        assert.equal(made, around.join(`x${text}`));
      }),
    );
  });
});

const LETTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
