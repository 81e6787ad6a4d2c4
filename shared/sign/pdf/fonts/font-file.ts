import { closeSync, openSync, readSync } from 'node:fs';

/** What a layout needs of a font; sizes are parts of its size. `widthOf` is null for a letter that it has no glyph for. */
export type FontMetrics = {
  ascent: number;
  descent: number;
  widthOf(code_point: number): number | null;
};

/**
 * Reads the metrics of a TrueType font: five of its tables, by OpenType 1.9. Only fonts of our own packages are read, so that
 * a form that is not theirs is an error of ours.
 */
export function readFontMetrics(path: string): FontMetrics {
  const file = openSync(path, 'r');
  try {
    const part = (offset: number, length: number) => {
      const bytes = Buffer.alloc(length);
      readSync(file, bytes, 0, length, offset);
      return bytes;
    };
    const directory = part(12, part(0, 12).readUInt16BE(4) * 16);
    const table = (tag: string) => {
      for (let at = 0; at < directory.length; at += 16) {
        if (directory.toString('latin1', at, at + 4) !== tag) continue;
        return part(directory.readUInt32BE(at + 8), directory.readUInt32BE(at + 12));
      }
      throw new Error(`The font ${path} has no table ${tag}`);
    };
    const units = table('head').readUInt16BE(18);
    const header = table('hhea');
    const widths = table('hmtx');
    const last = header.readUInt16BE(34) - 1;
    const glyphOf = glyphsOf(table('cmap'));
    return {
      ascent: header.readInt16BE(4) / units,
      descent: -header.readInt16BE(6) / units,
      widthOf(code_point) {
        const glyph = glyphOf(code_point);
        return glyph === 0 ? null : widths.readUInt16BE(Math.min(glyph, last) * 4) / units;
      },
    };
  } finally {
    closeSync(file);
  }
}

type GlyphOf = (code_point: number) => number;

/** The glyph of a code point, 0 without one: by the table of all of Unicode (format 12), else by that of its first plane. */
function glyphsOf(cmap: Buffer): GlyphOf {
  const byFormat = new Map<number, Buffer>();
  for (let n = 0; n < cmap.readUInt16BE(2); n += 1) {
    const subtable = cmap.subarray(cmap.readUInt32BE(4 + n * 8 + 4));
    byFormat.set(subtable.readUInt16BE(0), subtable);
  }
  const whole = byFormat.get(12);
  if (whole) return inGroups(whole);
  const plane = byFormat.get(4);
  if (plane) return inSegments(plane);
  throw new Error('A font has no table of letters that is known here');
}

function inGroups(table: Buffer): GlyphOf {
  const count = table.readUInt32BE(12);
  return (code_point) => {
    const n = firstOf(count, (index) => table.readUInt32BE(16 + index * 12 + 4) >= code_point);
    if (n === count) return 0;
    const start = table.readUInt32BE(16 + n * 12);
    return code_point < start ? 0 : table.readUInt32BE(16 + n * 12 + 8) + code_point - start;
  };
}

function inSegments(table: Buffer): GlyphOf {
  const size = table.readUInt16BE(6);
  const count = size / 2;
  return (code_point) => {
    if (code_point > 0xffff) return 0;
    const n = firstOf(count, (index) => table.readUInt16BE(14 + index * 2) >= code_point);
    const start = 16 + size + n * 2;
    if (n === count || code_point < table.readUInt16BE(start)) return 0;
    const delta = table.readUInt16BE(start + size);
    const offset = table.readUInt16BE(start + size * 2);
    if (offset === 0) return (code_point + delta) & 0xffff;
    const glyph = table.readUInt16BE(
      start + size * 2 + offset + (code_point - table.readUInt16BE(start)) * 2,
    );
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
  };
}

/** The first index of which `holds` is true, where it is false before and true after it; `count` if there is none. */
function firstOf(count: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
