import { createReadStream, createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { prepared, preparedFolders } from './prepared.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.resolve('@sparticuz/chromium')));

/** Where Chromium may be: the one that the settings name, or else the folder of the service's data. */
export type ChromiumPlace = { chrome_path: string | undefined; data_dir: string };

/**
 * The path of Chromium's binary. The one that is installed with the service comes packed and is unpacked once. Throws
 * when it can be put nowhere.
 */
export async function chromiumPath({ chrome_path, data_dir }: ChromiumPlace, now: Date): Promise<string> {
  if (chrome_path !== undefined) return chrome_path;
  const { version } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'));
  return prepared({ folders: preparedFolders(data_dir), name: `chromium-${version}`, make: unpack }, now);
}

async function unpack(path: string): Promise<void> {
  await pipeline(
    createReadStream(join(PACKAGE, 'bin/chromium.br')),
    createBrotliDecompress({ chunkSize: 1024 * 1024 }),
    createWriteStream(path, { mode: 0o755 }),
  );
}
