import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the embedded mode keeps the key of seals and its authority. */
export function keptKeyPath(data_dir: string): string {
  return join(data_dir, 'seal-key.pem');
}

/**
 * The PEM text of the key that an embedded installation seals with, made by `make` where there is none. Its owner alone can
 * read the file. Of two who make it at once both answer with the one that was written first.
 */
export async function keptSealKey(data_dir: string, make: () => Promise<string>): Promise<string> {
  const path = keptKeyPath(data_dir);
  const kept = await readFile(path, 'utf8').catch(absent);
  if (kept !== null) return kept;
  await mkdir(data_dir, { recursive: true, mode: 0o700 });
  const unfinished = `${path}.${randomUUID()}`;
  try {
    await writeFile(unfinished, await make(), { mode: 0o600, flush: true });
    await link(unfinished, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(unfinished, { force: true });
  }
  return readFile(path, 'utf8');
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
