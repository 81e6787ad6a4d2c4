import { createRequire } from 'node:module';
import { type FontMetrics, readFontMetrics } from './font-file.ts';

const require = createRequire(import.meta.url);

/** The fonts of values, in the order in which each letter is looked for. */
export const fontNames = ['japanese', 'latin', 'korean', 'chinese'] as const;

export type FontName = (typeof fontNames)[number];

const FILES: Readonly<Record<FontName, string>> = {
  japanese: 'noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf',
  latin: 'noto-sans/400Regular/NotoSans_400Regular.ttf',
  korean: 'noto-sans-kr/400Regular/NotoSansKR_400Regular.ttf',
  chinese: 'noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf',
};

/** Scripts whose letters stand one after the other: what joins or stacks letters would be drawn wrong. */
const PLAIN =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Common}]$/u;
const MARK = /^[\p{M}\p{C}\p{Zl}\p{Zp}]$/u;

/** A letter's font, and its width as a part of the font's size. */
export type Letter = { font: FontName; width: number };

const known = new Map<FontName, FontMetrics>();
const letters = new Map<string, Letter | null>();
const MOST_KEPT = 20_000;

/** The file of a font. */
export function fontFile(font: FontName): string {
  return require.resolve(`@expo-google-fonts/${FILES[font]}`);
}

/** The metrics of a font, which are read once in a process: 0.3 MB of each. */
export function metricsOf(font: FontName): FontMetrics {
  const metrics = known.get(font) ?? readFontMetrics(fontFile(font));
  known.set(font, metrics);
  return metrics;
}

/** How a letter (one code point) is drawn; null where no font has it, or it needs more than to stand after the last one. */
export function letterOf(character: string): Letter | null {
  const seen = letters.get(character);
  if (seen !== undefined) return seen;
  const found = MARK.test(character) || !PLAIN.test(character) ? null : looked(character.codePointAt(0)!);
  if (letters.size >= MOST_KEPT) letters.clear();
  letters.set(character, found);
  return found;
}

function looked(code_point: number): Letter | null {
  for (const font of fontNames) {
    const width = metricsOf(font).widthOf(code_point);
    if (width !== null) return { font, width };
  }
  return null;
}
