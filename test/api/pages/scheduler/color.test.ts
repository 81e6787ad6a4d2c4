import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { accentOf, contrastOf, GROUNDS } from '../../../../api/scheduler/pages/color.ts';

const READABLE = 4.5;
const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('the accent of a colour', () => {
  test('can be read whatever the colour, and leaves buttons that colour', () => {
    fc.assert(
      fc.property(color, (chosen) => {
        const { fill, on, light, dark } = accentOf(chosen);
        assert.equal(fill, chosen);
        assert.ok(contrastOf(on, fill) >= READABLE, `${on} on ${fill}`);
        assert.ok(contrastOf(light, GROUNDS.light) >= READABLE, `${light} on light ground`);
        assert.ok(contrastOf(dark, GROUNDS.dark) >= READABLE, `${dark} on dark ground`);
      }),
    );
  });

  for (const [chosen, accent] of [
    ['#000000', { fill: '#000000', on: '#ffffff', light: '#000000', dark: '#858585' }],
    ['#ffffff', { fill: '#ffffff', on: '#000000', light: '#757575', dark: '#ffffff' }],
    ['#2f6f5e', { fill: '#2f6f5e', on: '#ffffff', light: '#2f6f5e', dark: '#5d8f81' }],
    ['#ffe600', { fill: '#ffe600', on: '#000000', light: '#807300', dark: '#ffe600' }],
  ] as const) {
    test(`of ${chosen}`, () => assert.deepEqual(accentOf(chosen), accent));
  }

  test('is reckoned with the grounds that pages have', () => {
    const css = readFileSync(resolve(import.meta.dirname, '../../../../api/pages/style/base.css'), 'utf8');
    const panels = [...css.matchAll(/--panel: (#[0-9a-f]+);/g)].map(([, panel]) => panel);
    assert.deepEqual(panels, ['#fff', GROUNDS.dark]);
  });
});

describe('contrast', () => {
  test('is that of WCAG', () => {
    assert.equal(contrastOf('#000000', '#ffffff'), 21);
    assert.equal(contrastOf('#777777', '#777777'), 1);
    assert.equal(contrastOf('#767676', '#ffffff').toFixed(2), '4.54');
  });
});
