import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A secret of an embedded installation: made at its first start, kept in a file that its owner alone can read. */
export type KeptSecret = { value: string; path: string; is_new: boolean };

/** Signs sessions; in the place of AUTH_SECRET. */
export function keptAuthSecret(dataDir: string): KeptSecret {
  return keptSecret(join(dataDir, 'auth-secret'), () => randomBytes(32).toString('hex'));
}

/** Opens /ops; in the place of OPERATOR_PASSWORD. 120 bits in 20 characters that can be typed. */
export function keptOperatorPassword(dataDir: string): KeptSecret {
  return keptSecret(join(dataDir, 'operator-password'), () => randomBytes(15).toString('base64url'));
}

/** Of two processes that make it at once both answer with the one that was written first. */
function keptSecret(path: string, make: () => string): KeptSecret {
  const kept = read(path);
  if (kept !== null) return { value: kept, path, is_new: false };
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, `${make()}\n`, { mode: 0o600 });
  try {
    linkSync(unfinished, path);
    return { value: read(path) ?? '', path, is_new: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return { value: read(path) ?? '', path, is_new: false };
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}
