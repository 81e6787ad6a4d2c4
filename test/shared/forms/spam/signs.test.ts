import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSettings } from '../../../../shared/forms/settings/record.ts';
import { challengeOf, isProof } from '../../../../shared/forms/spam/proof.ts';
import {
  type SpamReason,
  type SpamRules,
  type Suspect,
  spamSigns,
} from '../../../../shared/forms/spam/signs.ts';

const clean: Suspect = {
  data: { message: 'お見積もりをお願いします', site: 'https://www.example.co.jp' },
  url_fields: new Set(['site']),
  is_trapped: false,
  elapsed: 3_000,
  challenge: null,
  proof: null,
};

const links = (count: number, link = 'http://example.com ') => ({ message: link.repeat(count) });

const demo = { salt: 'demo', bits: 16 };

const cases: [title: string, rules: Partial<SpamRules>, suspect: Partial<Suspect>, reasons: SpamReason[]][] =
  [
    ['a person', {}, {}, []],
    ['the field that people do not see', {}, { is_trapped: true }, ['honeypot']],
    ['a moment too early', {}, { elapsed: 2_999 }, ['too_fast']],
    ['no time asked for', { min_seconds: 0 }, { elapsed: 0 }, []],
    ['as many links as allowed', {}, { data: links(5) }, []],
    ['one link more', {}, { data: links(6) }, ['many_links']],
    ['links by www', {}, { data: links(6, 'see www.example.com, ') }, ['many_links']],
    ['an address with its scheme is one link', {}, { data: links(5, 'https://www.example.com ') }, []],
    ['links in full-width letters', {}, { data: links(6, 'ｈｔｔｐｓ：／／example.com ') }, ['many_links']],
    ['no link is allowed, and the field for an address is answered', { max_links: 0 }, {}, []],
    [
      'links in several answers',
      { max_links: 1 },
      { data: { a: 'http://a', b: [{ other: 'http://b' }] } },
      ['many_links'],
    ],
    ['a blocked word', { blocked_words: ['casino'] }, { data: { a: 'My CASINO' } }, ['blocked_word']],
    [
      'in other letters',
      { blocked_words: ['カジノ'] },
      { data: { a: { other: 'ｶｼﾞﾉへ' } } },
      ['blocked_word'],
    ],
    [
      'in an address',
      { blocked_words: ['casino'] },
      { data: { site: 'https://casino.example' } },
      ['blocked_word'],
    ],
    ['a blank word blocks nothing', { blocked_words: ['　'] }, {}, []],
    ['no proof', {}, { challenge: demo }, ['no_proof']],
    ['a wrong proof', {}, { challenge: demo, proof: '115235' }, ['no_proof']],
    ['the proof', {}, { challenge: demo, proof: '115236' }, []],
    ['a proof in another form', {}, { challenge: demo, proof: '0115236' }, ['no_proof']],
    [
      'all at once, in their order',
      { blocked_words: ['http'] },
      { data: links(6), is_trapped: true, elapsed: 0, challenge: demo },
      ['honeypot', 'too_fast', 'many_links', 'blocked_word', 'no_proof'],
    ],
  ];

for (const [title, rules, suspect, reasons] of cases) {
  test(`signs of spam: ${title}`, () => {
    assert.deepEqual(spamSigns({ ...defaultSettings.spam, ...rules }, { ...clean, ...suspect }), reasons);
  });
}

test('the least proof of the salt demo is 115236', () => {
  const least = Array.from({ length: 115_237 }, (_, n) => n).find((n) => isProof(demo, String(n)));
  assert.equal(least, 115_236);
});

test('a challenge has the nonce of its token as salt', () => {
  assert.deepEqual(challengeOf('n0nce'), { salt: 'n0nce', bits: 16 });
});
