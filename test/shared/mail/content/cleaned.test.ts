import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { cleanedHtml, type Removed } from '../../../../shared/mail/content/cleaned.ts';

const nothing: Removed = { elements: [], attributes: [], addresses: [] };

describe('what mails are made of stays as it is', () => {
  for (const html of [
    '',
    '<p>{{last_name|お客様}} 様</p>',
    '<table width="600" cellpadding="0" bgcolor="#ffffff"><tbody><tr><td align="center" colspan="2">A &amp; B &lt;x&gt; 😀</td></tr></tbody></table>',
    '<p style="margin:0 0 16px;font:16px/1.6 sans-serif;color:#1a1a1a;background:rgb(1, 2, 3)">x</p>',
    '<a href="https://example.jp/?a={{email}}&amp;b=1" target="_blank">x</a>',
    '<a href="mailto:info@example.jp">a</a><a href="tel:0312345678">b</a><a href="#top">c</a>',
    '<a href="{{unsubscribe_url}}">配信停止</a> <a href="{{view_url}}">x</a>',
    '<img src="https://example.jp/a.png" alt="" width="10" />',
    '<p>{{attributes.A&amp;B|&lt;none&gt;}} "x"</p>',
  ]) {
    test(html, () => assert.deepEqual(cleanedHtml(html), { html, removed: nothing }));
  }
});

describe('what could do more than show itself is taken out, and told', () => {
  const cases: readonly [html: string, cleaned: string, removed: Partial<Removed>][] = [
    ['a<script>alert(1)</script>b', 'ab', { elements: ['script'] }],
    ['<style>p{color:red}</style><p>x</p>', '<p>x</p>', { elements: ['style'] }],
    ['<p onclick="x()" id="a">x</p>', '<p>x</p>', { attributes: ['id', 'onclick'] }],
    ['<a href="javascript:alert(1)">x</a>', '<a>x</a>', { addresses: ['javascript:alert(1)'] }],
    ['<a href="java&#10;script:x">x</a>', '<a>x</a>', { addresses: ['java\nscript:x'] }],
    [
      '<a href="{{first_name|}}javascript:x">x</a>',
      '<a>x</a>',
      { addresses: ['{{first_name|}}javascript:x'] },
    ],
    ['<a href="{{attributes.page}}">x</a>', '<a>x</a>', { addresses: ['{{attributes.page}}'] }],
    ['<a href="//example.jp">x</a>', '<a>x</a>', { addresses: ['//example.jp'] }],
    [
      '<img src="data:image/png;base64,AA" alt="x">',
      '<img alt="x" />',
      { addresses: ['data:image/png;base64,AA'] },
    ],
    ['<form action="/x"><input name="a">x</form>', 'x', { elements: ['form', 'input'] }],
    ['<iframe src="https://example.jp">x</iframe>y', 'y', { elements: ['iframe'] }],
    ['<svg><script>x</script></svg>y', 'y', { elements: ['script', 'svg'] }],
    ['<!-- x --><p>y</p>', '<p>y</p>', {}],
    ['<p style="background:url(https://x);width:1px">y</p>', '<p style="width:1px">y</p>', {}],
    ['<p style="color:{{attributes.c}}">y</p>', '<p>y</p>', {}],
    [
      '<!doctype html><html><head><title>t</title><meta charset="utf-8"></head><body bgcolor="#fff"><p>x</p></body></html>',
      '<div bgcolor="#fff"><p>x</p></div>',
      { elements: ['title'] },
    ],
    ['<p>open <b>bold', '<p>open <b>bold</b></p>', {}],
  ];
  for (const [html, cleaned, removed] of cases) {
    test(html, () =>
      assert.deepEqual(cleanedHtml(html), { html: cleaned, removed: { ...nothing, ...removed } }),
    );
  }

  test('at most 20 names of each kind are told', () => {
    const html = Array.from({ length: 30 }, (_, index) => `<x${index}>`).join('');
    assert.equal(cleanedHtml(html).removed.elements.length, 20);
  });
});

describe('whatever comes', () => {
  const part = fc.oneof(
    fc.constantFrom(
      '<a href="',
      '">',
      '<p style="',
      "'",
      '</a>',
      '<script>',
      '</script>',
      '<svg>',
      '<math>',
      '<style>',
      '<!--',
      '-->',
      '{{',
      '}}',
      '{{email}}',
      'javascript:',
      'https://',
      ' onload=',
      '&lt;',
      '&#106;',
      '<img src=',
      '<td',
      '>',
      '<title>',
      '<noscript>',
      '<textarea>',
      '</p>',
      '<plaintext>',
      '<template>',
      '\0',
      '\n',
      '<',
    ),
    fc.string({ maxLength: 4 }),
  );

  test('cleaned again it stays, and nothing is left that could do anything', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const { html } = cleanedHtml(parts.join(''));
        assert.equal(cleanedHtml(html).html, html);
        assert.doesNotMatch(
          html,
          /<(?:script|style|svg|iframe|form|input|object)|<[^>]*\son[a-z]+=|="\s*javascript:/i,
        );
        for (const text of html.split(/<[^<>]*>/)) assert.doesNotMatch(text, /[<>]/);
      }),
      { numRuns: 500 },
    );
  });
});
