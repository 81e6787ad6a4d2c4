import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROGRAMS } from './program-files.ts';
import { exportedNames, loadedWith } from './sources.ts';

const root = resolve(import.meta.dirname, '../..');

/** Of esbuild's API what is used here: a clone with the packages of an earlier commit compiles all the same. */
type OutputFile = { path: string; contents: Uint8Array };
type Contents = { contents: string; loader: 'ts' };
type OnLoad = (at: { filter: RegExp }, load: (file: { path: string }) => Promise<Contents>) => void;
type Plugin = { name: string; setup(build: { onLoad: OnLoad }): void };
type Build = (options: Record<string, unknown>) => Promise<{ outputFiles: OutputFile[] }>;

const DAY = 24 * 60 * 60 * 1000;

/** What both bundles have in common. */
const SAME = {
  absWorkingDir: root,
  write: false,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'esnext',
  outExtension: { '.js': '.mjs' },
  packages: 'external',
  // What a log or a trace says of an error is its class's name.
  keepNames: true,
  logLevel: 'error',
};

/**
 * Writes the programs, with all of the source that they load, in a few files of a folder below `kept`, whose path it
 * answers: to find, read and link some 2,500 files of source is half the processor time of each start. The folder is
 * named by what is in it, so that runs that go at once share it, and code compiled for it is found again. Packages are
 * loaded from where they are. (test/start starts the service from its source, as users do.)
 * Null where esbuild is not installed yet.
 */
export async function bundlePrograms(kept: string): Promise<string | null> {
  const build = await installedBuild();
  if (build === null) return null;
  const { outputFiles } = await build({
    ...SAME,
    entryPoints: [...PROGRAMS],
    outdir: kept,
    outbase: root,
    plugins: [placesOfSources],
  });
  return inFolderOf(kept, new Map(outputFiles.map(({ path, contents }) => [relative(kept, path), contents])));
}

/** Loads the API into the process of a test. */
export const API_IN_TESTS = 'test/support/app.ts';

/**
 * Writes all of the service's source that the API loads into two large files and, for each file of source, one of its
 * name which exports what that exports: a test imports those instead (bundled-sources.ts), and shares each value with
 * all others. Answers as `bundlePrograms`.
 */
export async function bundleSources(kept: string): Promise<string | null> {
  const build = await installedBuild();
  if (build === null) return null;
  const loaded = [...loadedWith(API_IN_TESTS)].filter(([path]) => !path.startsWith('test/'));
  const sources = loaded.map(([path, text], nth) => ({ path, nth, names: exportedNames(text) }));
  const bundled = sources.map(({ path, nth, names }) =>
    names.length === 0
      ? `import './${path}';`
      : `export { ${names.map((name) => `${name} as ${name}_${nth}`).join(', ')} } from './${path}';`,
  );
  const { outputFiles } = await build({
    ...SAME,
    stdin: { contents: bundled.join('\n'), resolveDir: root },
    entryNames: ALL,
    outdir: kept,
    plugins: [placesOfSources],
  });
  const files = new Map<string, string | Uint8Array>(
    outputFiles.map(({ path, contents }) => [relative(kept, path), contents]),
  );
  for (const { path, nth, names } of sources) {
    const all = relative(dirname(path), `${ALL}.mjs`).replace(/^(?!\.)/, './');
    const exported = names.map((name) => `${name}_${nth} as ${name}`).join(', ');
    files.set(path.replace(/\.ts$/, '.mjs'), `export { ${exported} } from '${all}';\n`);
  }
  return inFolderOf(kept, files);
}

/** The name of the file that has all sources, which none of them has. */
const ALL = 'all-sources';

/** A folder below `kept` that has these files, named by what is in them. */
function inFolderOf(kept: string, files: ReadonlyMap<string, string | Uint8Array>): string {
  const digest = createHash('sha256');
  for (const [path, contents] of files) digest.update(`${path}\n`).update(contents);
  const folder = join(kept, digest.digest('hex').slice(0, 16));
  mkdirSync(kept, { recursive: true });
  removeUnused(kept);
  if (existsSync(folder)) utimesSync(folder, new Date(), new Date());
  else writeAtOnce(files, folder);
  return folder;
}

async function installedBuild(): Promise<Build | null> {
  try {
    return ((await import('esbuild' as string)) as { build: Build }).build;
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    process.stdout.write('esbuild is not installed: programs start from their source. Run npm ci.\n');
    return null;
  }
}

/** Sources find pages, fonts, migrations and the programs that they start beside themselves. */
const placesOfSources: Plugin = {
  name: 'places of sources',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.filename', JSON.stringify(path))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
      return { contents, loader: 'ts' };
    });
  },
};

/** Whoever sees the folder sees all of it. */
function writeAtOnce(files: ReadonlyMap<string, string | Uint8Array>, folder: string): void {
  const draft = `${folder}-${process.pid}`;
  for (const [path, contents] of files) {
    const file = join(draft, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, contents);
  }
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}

function removeUnused(kept: string): void {
  for (const name of readdirSync(kept)) {
    const folder = join(kept, name);
    // Another run may have removed it meanwhile, or given its draft its name.
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > DAY) rmSync(folder, { recursive: true, force: true });
  }
}
