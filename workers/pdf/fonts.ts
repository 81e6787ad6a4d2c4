import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withCommonLetters } from './font-letters.ts';

/** Regular and bold of the text. Chromium knows no other fonts than these: a page looks the same everywhere. */
const TEXT = [
  '@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf',
  '@expo-google-fonts/noto-sans-jp/700Bold/NotoSansJP_700Bold.ttf',
];

/** The signs that they lack. */
const SIGNS = '@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf';

/**
 * Writes a configuration of fontconfig that knows the installed fonts alone, and answers its path, for
 * FONTCONFIG_FILE. A font that came with each page as data would make it three times as slow (docs/performance.md).
 */
export async function writeFontsConf(folder: string): Promise<string> {
  const fonts = join(folder, 'fonts');
  const cache = join(folder, 'font-cache');
  for (const made of [fonts, cache]) await mkdir(made, { recursive: true, mode: 0o700 });
  for (const font of TEXT.map(installed)) {
    await writeFile(join(fonts, basename(font)), withCommonLetters(await readFile(font)));
  }
  const path = join(folder, 'fonts.conf');
  await writeFile(path, fontsConf([fonts, dirname(installed(SIGNS))], cache));
  return path;
}

const installed = (font: string) => fileURLToPath(import.meta.resolve(font));

function fontsConf(folders: readonly string[], cache: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${folders.map((folder) => `  <dir>${escaped(folder)}</dir>`).join('\n')}
  <cachedir>${escaped(cache)}</cachedir>
  <alias binding="same">
    <family>sans-serif</family>
    <prefer><family>Noto Sans JP</family><family>Noto Emoji</family></prefer>
  </alias>
</fontconfig>
`;
}

function escaped(path: string): string {
  return path.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
