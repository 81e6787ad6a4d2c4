import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';

type Stroke = [x: number, y: number][];
const script = '../../../../api/sign/pages/scripts/strokes.js';
const { fitted, PAD } = (await import(script)) as {
  fitted: (strokes: Stroke[], aspect: number) => Stroke[];
  PAD: number;
};

test('a drawing stands in the middle of its box, whole', () => {
  const line: Stroke[] = [
    [
      [0.1, 0.2],
      [0.3, 0.2],
    ],
  ];
  // 0.6 wide on the pad: three times that is wider than the box of 1.2, which it fills up to its edges.
  assert.deepEqual(fitted(line, 1.2), [
    [
      [0.05, 0.5],
      [0.95, 0.5],
    ],
  ]);
  assert.deepEqual(fitted([], 2), []);
});

const point = fc.tuple(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.double({ min: 0, max: 1, noNaN: true }),
);
const drawing = fc.array(fc.array(point, { minLength: 2, maxLength: 20 }), { minLength: 1, maxLength: 8 });

test('whatever was drawn stays in the box of any shape, and keeps its proportions', () => {
  fc.assert(
    fc.property(drawing, fc.double({ min: 0.05, max: 12, noNaN: true }), (strokes, aspect) => {
      const placed = fitted(strokes, aspect);
      assert.ok(placed.flat().every((each) => each.every((part) => part >= 0 && part <= 1)));
      const [width, height] = spanOf(strokes.map((each) => each.map(([x, y]) => [x * PAD, y])));
      const [placedWidth, placedHeight] = spanOf(placed.map((each) => each.map(([x, y]) => [x * aspect, y])));
      const rounding = 0.0002 * Math.max(1, aspect) * Math.max(width, height, 1);
      assert.ok(Math.abs(width * placedHeight - height * placedWidth) <= rounding * 4);
    }),
  );
});

function spanOf(strokes: Stroke[]): [width: number, height: number] {
  const span = (parts: number[]) => Math.max(...parts) - Math.min(...parts);
  return [span(strokes.flat().map(([x]) => x)), span(strokes.flat().map(([, y]) => y))];
}
