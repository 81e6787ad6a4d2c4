import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The AUTH_SECRET of an embedded installation: made at its first start, kept under DATA_DIR, readable by its owner alone. */
export function keptSecret(dataDir: string): string {
  const path = join(dataDir, 'auth-secret');
  const unfinished = `${path}.${process.pid}`;
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  writeFileSync(unfinished, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
  linkSync(unfinished, path);
  rmSync(unfinished);
  return readFileSync(path, 'utf8').trim();
}
