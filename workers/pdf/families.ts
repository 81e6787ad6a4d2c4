/** A font that pages know: its name, the package that brings it, and the files in there. */
export type Family = {
  family: string;
  package: string;
  files: readonly string[];
  /** Whether some of its letters share one glyph and must be distinguished (letters.ts). */
  has_twins: boolean;
};

function noto(script: string, has_twins: boolean, weights = ['400Regular', '700Bold']): Family {
  const name = `Noto${script.replaceAll(' ', '')}`;
  return {
    family: `Noto ${script}`,
    package: `@expo-google-fonts/noto-${script.toLowerCase().replaceAll(' ', '-')}`,
    files: weights.map((weight) => `${weight}/${name}_${weight}.ttf`),
    has_twins,
  };
}

/**
 * The fonts of the pages, in the order in which each letter is looked for: Japanese, then all that is written in Latin,
 * Greek, Cyrillic and Devanagari, then the neighbours of Japan. Chromium knows no other fonts than these: a page looks
 * the same everywhere. A letter that none of them has is shown as a crossed box.
 */
export const families: readonly Family[] = [
  noto('Sans JP', true),
  noto('Sans', false),
  noto('Sans KR', true),
  noto('Sans SC', true),
  noto('Sans Thai', false),
  noto('Sans Arabic', false),
  noto('Sans Math', false, ['400Regular']),
  noto('Emoji', false, ['400Regular']),
];

/** The same as CSS has it. */
export const FONT_FAMILIES = [...families.map(({ family }) => `"${family}"`), 'sans-serif'].join(', ');
