import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What runs: the version of package.json and the commit; null where it is unknown. */
export type Release = { version: string; commit: string | null };

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Reads what runs, once at the start: the commit of GIT_COMMIT, else of the file `commit` that the image is built with,
 * else of the folder `.git`.
 */
export function readRelease({ gitCommit }: { gitCommit?: string | undefined }, root = ROOT): Release {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const commit = [gitCommit, read(join(root, 'commit')), commitOf(root)].find((each) => isCommit(each ?? ''));
  return { version, commit: commit?.toLowerCase() ?? null };
}

function isCommit(text: string): boolean {
  return /^[0-9a-f]{7,64}$/i.test(text);
}

/** The commit that is checked out; null where there is no repository. */
function commitOf(root: string): string | null {
  const [, elsewhere] = /^gitdir: (.+)$/.exec(read(join(root, '.git')) ?? '') ?? [];
  const folder = elsewhere ? resolve(root, elsewhere) : join(root, '.git');
  const head = read(join(folder, 'HEAD'));
  const [, branch] = /^ref: (refs\/[\w./-]+)$/.exec(head ?? '') ?? [];
  if (!branch) return head;
  // The folder of a further work tree has its own HEAD, and its branches in the first one's.
  const common = resolve(folder, read(join(folder, 'commondir')) ?? '.');
  return read(join(common, branch)) ?? packedCommit(common, branch);
}

function packedCommit(folder: string, branch: string): string | null {
  const lines = read(join(folder, 'packed-refs'))?.split('\n') ?? [];
  return lines.find((line) => line.endsWith(` ${branch}`))?.split(' ')[0] ?? null;
}

/** What is not there, or is a folder, is nothing. */
function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}
