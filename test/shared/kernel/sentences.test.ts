import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domains } from '../../../shared/domains.ts';
import type { Text } from '../../../shared/kernel/language.ts';
import { translator } from '../../../shared/kernel/sentences.ts';

const sentences = domains.flatMap(({ warnings = [] }) => warnings);
const textOf = translator(sentences);

test('the warnings of all domains are found by their English, with the values in their places', () => {
  assert.ok(sentences.length > 10);
  for (const sentence of sentences) {
    const values = Array.from({ length: sentence.length }, (_, place) => `${place}-T1 (2026.10)`);
    const text = (sentence as unknown as (...values: string[]) => Text)(...values);
    assert.deepEqual(textOf(text.en), text);
    assert.match(text.ja, /[ぁ-んァ-ヶ]/);
  }
});

test('values stand where each language has them, and other sentences stay as they are', () => {
  const sentence = (a: string, b: string) => ({ en: `Of ${b} (a*) comes ${a}.`, ja: `${a} は ${b} から` });
  const of = translator([sentence]);
  assert.deepEqual(of('Of x y (a*) comes z.'), { en: 'Of x y (a*) comes z.', ja: 'z は x y から' });
  for (const other of ['Of x (aa) comes z.', 'Of x (a*) comes z!', '', '. Of x (a*) comes']) {
    assert.deepEqual(of(other), { en: other, ja: other });
  }
});

test('a sentence within another one is said in its language', () => {
  const of = translator([
    (tries: number, why: string) => ({
      en: `Given up after ${tries} tries: ${why}`,
      ja: `${tries}回で中止：${why}`,
    }),
    () => ({ en: 'It is gone', ja: 'なくなりました' }),
  ]);
  assert.equal(of('Given up after 3 tries: It is gone').ja, '3回で中止：なくなりました');
  assert.equal(of('Given up after 3 tries: two\nlines').ja, '3回で中止：two\nlines');
  assert.equal(of('Given up after 3 tries: 451 Try again').ja, '3回で中止：451 Try again');
});
