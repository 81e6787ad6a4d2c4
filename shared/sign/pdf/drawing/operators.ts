import type { Matrix } from '../geometry.ts';
import type { Colour, Drawing, Text } from './plan.ts';

/** What a content stream calls the fonts and images that it draws with. */
export type Resources = {
  /** Answers the name of a font, and the glyphs of a text in it as the digits of a hexadecimal string. */
  font(text: Pick<Text, 'font' | 'text'>): { name: string; glyphs: string };
  /** Answers the name of an image (base64), and its size in any unit. */
  image(data: string): { name: string; width: number; height: number };
};

/** The operators (ISO 32000-1, Annex A) that draw in a box of this size, under a matrix. */
export function operatorsOf(
  drawing: Drawing,
  { width, height, matrix }: { width: number; height: number; matrix: Matrix },
  resources: Resources,
): string {
  const lines = ['q', `${numbers(...matrix)} cm`];
  if (drawing.image) {
    const image = resources.image(drawing.image);
    const scale = Math.min(width / image.width, height / image.height);
    const [w, h] = [image.width * scale, image.height * scale];
    lines.push('q', `${numbers(w, 0, 0, h, (width - w) / 2, (height - h) / 2)} cm`, `/${image.name} Do`, 'Q');
  }
  for (const { points, width: thickness } of drawing.strokes) {
    const [first, ...rest] = points.map(([x, y]) => numbers(x, y));
    lines.push(`${numbers(thickness)} w 1 J 1 j`, `${first} m`);
    // A point alone is a line to itself: with round ends, a dot.
    lines.push(...(rest.length > 0 ? rest : [first]).map((point) => `${point} l`), 'S');
  }
  for (const ring of drawing.rings) {
    lines.push(`${numbers(...ring.colour)} RG ${numbers(ring.width)} w`, circle(ring), 'S');
  }
  let colour: Colour | null = null;
  for (const text of drawing.texts) {
    if (text.colour !== colour) lines.push(`${numbers(...text.colour)} rg`);
    colour = text.colour;
    const { name, glyphs } = resources.font(text);
    lines.push(`BT /${name} ${numbers(text.size)} Tf ${numbers(text.x, text.y)} Td <${glyphs}> Tj ET`);
  }
  return `${[...lines, 'Q'].join('\n')}\n`;
}

/** How far the handles of a Bézier curve lie from the ends of a quarter of a circle. */
const HANDLE = (4 / 3) * (Math.SQRT2 - 1);

function circle({ x, y, radius: r }: { x: number; y: number; radius: number }): string {
  const k = r * HANDLE;
  return [
    `${numbers(x + r, y)} m`,
    `${numbers(x + r, y + k, x + k, y + r, x, y + r)} c`,
    `${numbers(x - k, y + r, x - r, y + k, x - r, y)} c`,
    `${numbers(x - r, y - k, x - k, y - r, x, y - r)} c`,
    `${numbers(x + k, y - r, x + r, y - k, x + r, y)} c h`,
  ].join('\n');
}

/** Numbers to a ten-thousandth of a point; PDF knows no exponents. */
function numbers(...values: number[]): string {
  return values.map((value) => String(Math.round(value * 10_000) / 10_000)).join(' ');
}
