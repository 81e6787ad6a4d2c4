import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Regular and bold of the text, and the signs that it lacks. Chromium knows no others: a page looks the same everywhere. */
const FONTS = [
  '@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf',
  '@expo-google-fonts/noto-sans-jp/700Bold/NotoSansJP_700Bold.ttf',
  '@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf',
];

/**
 * Writes a configuration of fontconfig that knows the installed fonts alone, and answers its path, for
 * FONTCONFIG_FILE. A font that came with each page as data would make it three times as slow (docs/performance.md).
 */
export async function writeFontsConf(folder: string): Promise<string> {
  const cache = join(folder, 'fonts');
  await mkdir(cache, { recursive: true, mode: 0o700 });
  const folders = FONTS.map((font) => dirname(fileURLToPath(import.meta.resolve(font))));
  const path = join(folder, 'fonts.conf');
  await writeFile(path, fontsConf(folders, cache));
  return path;
}

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
