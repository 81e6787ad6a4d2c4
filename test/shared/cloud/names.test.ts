import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  freeName,
  itemName,
  keptName,
  nameFault,
  nameKey,
  numberedName,
} from '../../../shared/cloud/names.ts';

describe('the name of an item', () => {
  const good: [sent: string, kept: string][] = [
    ['見積書.pdf', '見積書.pdf'],
    ['  a b  ', 'a b'],
    ['か\u3099', 'が'],
    ['.env', '.env'],
    ['...', '...'],
    ['あ'.repeat(85), 'あ'.repeat(85)],
    ['=1+1', '=1+1'],
  ];
  for (const [sent, kept] of good) {
    test(`${JSON.stringify(sent.slice(0, 20))} is kept`, () => assert.equal(itemName().parse(sent), kept));
  }
  const bad: [sent: string, code: string][] = [
    ['', 'required'],
    ['   ', 'required'],
    ['\u3000', 'required'],
    ['.', 'invalid_value'],
    ['..', 'invalid_value'],
    ['a/b', 'invalid_characters'],
    ['a\\b', 'invalid_characters'],
    ['a\0b', 'invalid_characters'],
    ['a\nb', 'invalid_characters'],
    ['a\u202efdp.exe', 'invalid_characters'],
    [`${'あ'.repeat(85)}a`, 'too_long'],
    ['a'.repeat(256), 'too_long'],
  ];
  for (const [sent, code] of bad) {
    test(`${JSON.stringify(sent.slice(0, 20))} is none`, () => {
      assert.equal(itemName().safeParse(sent).success, false);
      assert.equal(nameFault(keptName(sent))?.code, code);
    });
  }

  test('is the same in letters of both cases', () => {
    assert.equal(nameKey('Report.PDF'), nameKey('rEPORT.pdf'));
    assert.equal(nameKey('ガ'), nameKey('カ\u3099'));
    assert.notEqual(nameKey('レポート'), nameKey('れぽーと'));
  });
});

describe('a free name', () => {
  const cases: [name: string, number: number, numbered: string][] = [
    ['plan.pdf', 2, 'plan (2).pdf'],
    ['.env', 2, '.env (2)'],
    ['archive.tar.gz', 3, 'archive.tar (3).gz'],
    ['folder', 2, 'folder (2)'],
    ['a.', 2, 'a (2).'],
    [`${'a'.repeat(251)}.pdf`, 2, `${'a'.repeat(247)} (2).pdf`],
    [`${'あ'.repeat(85)}`, 10, `${'あ'.repeat(83)} (10)`],
    [`a.${'x'.repeat(253)}`, 2, `a.${'x'.repeat(249)} (2)`],
  ];
  for (const [name, number, numbered] of cases) {
    test(`${name.slice(0, 20)} with ${number}`, () => assert.equal(numberedName(name, number), numbered));
  }

  test('is the first that nobody has', () => {
    const taken = new Set(['plan.pdf', 'plan (2).pdf', 'plan (4).pdf']);
    assert.equal(
      freeName('Plan.pdf', (key) => taken.has(key)),
      'Plan (3).pdf',
    );
    assert.equal(
      freeName('other.pdf', (key) => taken.has(key)),
      'other.pdf',
    );
  });

  test('is always a good name, and never a taken one', () => {
    const names = fc
      .string({
        unit: fc.constantFrom('a', 'Ä', 'あ', '.', ' ', '👨‍👩‍👧', '𠮷', '(', '2', ')'),
        minLength: 1,
        maxLength: 120,
      })
      .map(keptName)
      .filter((name) => nameFault(name) === null);
    fc.assert(
      fc.property(names, fc.integer({ min: 0, max: 20 }), (name, count) => {
        const taken = new Set<string>();
        for (let at = 0; at <= count; at += 1) {
          const free = freeName(name, (key) => taken.has(key));
          assert.equal(nameFault(free), null, free);
          assert.equal(keptName(free), free);
          assert.ok(!taken.has(nameKey(free)));
          taken.add(nameKey(free));
        }
      }),
    );
  });
});
