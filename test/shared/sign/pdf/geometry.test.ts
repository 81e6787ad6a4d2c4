import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { placeOf, seenSize } from '../../../../shared/sign/pdf/geometry.ts';
import type { CropBox, PageGeometry, Rotation } from '../../../../shared/sign/pdf/types.ts';

const ROTATIONS: readonly Rotation[] = [0, 90, 180, 270];
const rounded = (numbers: readonly number[]) => numbers.map((each) => Math.round(each * 1e6) / 1e6);

/** The seen point (u, v) in the page's own space, by the formulas of the specification. */
function pointOf(
  { crop_box: [x0, y0, x1, y1], rotation }: PageGeometry,
  u: number,
  v: number,
): [number, number] {
  const [W, H] = [x1 - x0, y1 - y0];
  if (rotation === 0) return [x0 + u * W, y1 - v * H];
  if (rotation === 90) return [x0 + v * W, y0 + u * H];
  if (rotation === 180) return [x1 - u * W, y0 + v * H];
  return [x1 - v * W, y1 - u * H];
}

const pages: fc.Arbitrary<PageGeometry> = fc.record({
  crop_box: fc
    .tuple(
      fc.integer({ min: -500, max: 500 }),
      fc.integer({ min: -500, max: 500 }),
      fc.integer({ min: 1, max: 2_000 }),
      fc.integer({ min: 1, max: 2_000 }),
    )
    .map(([x, y, w, h]): CropBox => [x, y, x + w, y + h]),
  rotation: fc.constantFrom(...ROTATIONS),
});
const boxes = fc
  .record({
    x: fc.integer({ min: 0, max: 99 }),
    y: fc.integer({ min: 0, max: 99 }),
    w: fc.double({ min: 0.01, max: 1, noNaN: true }),
    h: fc.double({ min: 0.01, max: 1, noNaN: true }),
  })
  .map(({ x, y, w, h }) => ({ x: x / 100, y: y / 100, w: w * (1 - x / 100), h: h * (1 - y / 100) }));

describe('the place of a field', () => {
  const box = { x: 0.1, y: 0.8, w: 0.25, h: 0.05 };
  const table: [Rotation, CropBox][] = [
    [0, [50, 110, 150, 140]],
    [90, [330, 80, 350, 230]],
    [180, [270, 500, 370, 530]],
    [270, [70, 410, 90, 560]],
  ];
  for (const [rotation, rectangle] of table) {
    it(`is ${rectangle.join(' ')} of a cropped page turned by ${rotation}`, () => {
      const page: PageGeometry = { crop_box: [10, 20, 410, 620], rotation };
      assert.deepEqual(rounded(placeOf(page, box).rectangle), rectangle);
    });
  }

  it('has its corners where they are seen, whatever the page', () => {
    fc.assert(
      fc.property(pages, boxes, (page, field) => {
        const { width, height, matrix } = placeOf(page, field);
        const [a, b, c, d, e, f] = matrix;
        const { x, y, w, h } = field;
        const at = (left: number, up: number) => rounded([a * left + c * up + e, b * left + d * up + f]);
        assert.deepEqual(at(0, 0), rounded(pointOf(page, x, y + h)));
        assert.deepEqual(at(width, 0), rounded(pointOf(page, x + w, y + h)));
        assert.deepEqual(at(0, height), rounded(pointOf(page, x, y)));
        assert.deepEqual(at(width, height), rounded(pointOf(page, x + w, y)));
      }),
    );
  });

  it('lies in the page, as large as it is seen', () => {
    fc.assert(
      fc.property(pages, boxes, (page, field) => {
        const { width, height, rectangle } = placeOf(page, field);
        const [seen_width, seen_height] = seenSize(page);
        assert.deepEqual(rounded([width, height]), rounded([field.w * seen_width, field.h * seen_height]));
        const [x0, y0, x1, y1] = page.crop_box;
        const [left, low, right, high] = rounded(rectangle) as CropBox;
        assert.ok(left >= x0 - 1e-6 && low >= y0 - 1e-6 && right <= x1 + 1e-6 && high <= y1 + 1e-6);
      }),
    );
  });
});
