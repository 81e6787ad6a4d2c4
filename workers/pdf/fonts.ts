import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { families } from './families.ts';
import { withCommonLetters } from './font-letters.ts';
import { prepared, preparedFolders } from './prepared.ts';

/** Raised where font-letters.ts makes something else of a font. */
const FORM = 1;

const fonts = families.flatMap(({ has_twins, package: name, files }) =>
  files.map((file) => ({ has_twins, path: fileURLToPath(import.meta.resolve(`${name}/${file}`)) })),
);

/**
 * The folder of the fonts whose letters are distinguished. It is written once for each version of them: some 45 MB.
 * Throws when it can be put nowhere.
 */
export async function preparedFonts(data_dir: string, now: Date): Promise<string> {
  const version = createHash('sha256').update(`${FORM}`);
  for (const { package: name } of families) {
    const file = fileURLToPath(import.meta.resolve(`${name}/package.json`));
    version.update(JSON.parse(await readFile(file, 'utf8')).version);
  }
  const name = `fonts-${version.digest('hex').slice(0, 12)}`;
  return prepared({ folders: preparedFolders(data_dir), name, make: writeFonts }, now);
}

async function writeFonts(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o755 });
  for (const { has_twins, path } of fonts) {
    if (!has_twins) continue;
    const letters = withCommonLetters(await readFile(path));
    await writeFile(join(folder, basename(path)), letters, { mode: 0o644 });
  }
}

/** Where a browser finds its fonts. */
export type FontPlaces = {
  /** What `preparedFonts` answers. */
  prepared: string;
  /** The folder of the configuration. */
  home: string;
  /** The folder in which fontconfig keeps what it has read of the fonts, also for the next browser. */
  cache: string;
};

/**
 * Writes a configuration of fontconfig that knows the fonts of the pages alone, and answers its path, for
 * FONTCONFIG_FILE. A font that came with each page as data would make it three times as slow (docs/performance.md).
 */
export async function writeFontsConf(places: FontPlaces): Promise<string> {
  await mkdir(places.cache, { recursive: true, mode: 0o700 });
  const path = join(places.home, 'fonts.conf');
  await writeFile(path, fontsConf(places));
  return path;
}

function fontsConf({ prepared: folder, cache }: FontPlaces): string {
  const installed = fonts.flatMap(({ has_twins, path }) => (has_twins ? [] : [dirname(path)]));
  const preferred = families.map(({ family }) => `<family>${family}</family>`);
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${[folder, ...installed].map((each) => `  <dir>${escaped(each)}</dir>`).join('\n')}
  <cachedir>${escaped(cache)}</cachedir>
  <alias binding="same">
    <family>sans-serif</family>
    <prefer>${preferred.join('')}</prefer>
  </alias>
</fontconfig>
`;
}

function escaped(path: string): string {
  return path.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
