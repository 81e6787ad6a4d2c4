import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { randomSlug, slugOfTitle } from '../../../../shared/scheduler/event-types/slug.ts';

const SLUG = /^[a-z0-9][a-z0-9-]{0,79}$/;

test('a title becomes its Latin letters and digits with hyphens between', () => {
  const cases: [string, string | null][] = [
    ['Intro call', 'intro-call'],
    ['  Café — 30 min. ', 'cafe-30-min'],
    ['ＡＢＣ相談', 'abc'],
    ['面談', null],
    ['面談 30分', null],
    ['---', null],
    [`${'a'.repeat(79)} b`, 'a'.repeat(79)],
  ];
  for (const [title, slug] of cases) assert.equal(slugOfTitle(title), slug, title);
});

test('whatever the title, its slug is of the form of slugs', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (title) => {
      const slug = slugOfTitle(title);
      assert.ok(slug === null || SLUG.test(slug), `${title}: ${slug}`);
    }),
  );
});

test('whatever the bytes, a random slug has 8 characters', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), (bytes) => {
      assert.match(
        randomSlug(() => bytes),
        /^[a-z2-9]{8}$/,
      );
    }),
  );
});
