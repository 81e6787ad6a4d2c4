import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newId } from '../../../../shared/kernel/id.ts';
import { isReservedSlug, SLUG, slugOf } from '../../../../shared/platform/access/organizations/slug.ts';

const id = newId('org', new Date('2026-05-01T00:00:00Z'));

test('the Latin letters and digits of a name, with hyphens between', () => {
  assert.equal(slugOf('Yamada Trading Co., Ltd.', id, false), 'yamada-trading-co-ltd');
  assert.equal(slugOf('ＡＢＣ商事 2nd', id, false), 'abc-2nd');
  assert.equal(slugOf('Ünïcödé', id, false), 'unicode');
});

test('a name without any, or with a single one, gets its slug from the ID', () => {
  assert.equal(slugOf('山田商事', id, false), `org-${id.slice(-8)}`);
  assert.equal(slugOf('A', id, false), `org-${id.slice(-8)}`);
});

test('a taken or reserved one gets the end of the ID', () => {
  assert.equal(slugOf('Acme', id, true), `acme-${id.slice(-8)}`);
  assert.equal(slugOf('PR', id, false), `pr-${id.slice(-8)}`);
});

test('any name gives a slug that paths take', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), fc.boolean(), (name, salt) => {
      const slug = slugOf(name, id, salt);
      return SLUG.test(slug) && !isReservedSlug(slug);
    }),
  );
});
