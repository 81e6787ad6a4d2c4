import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const INSTALLED = resolve(import.meta.dirname, '../../node_modules/.cache/chromium');

const MINUTE = 60_000;

/** Milliseconds after which a making that did not end has been broken off. */
const BROKEN_OFF = 10 * MINUTE;

/** Milliseconds after which no browser of an earlier release runs any more that opens its fonts one by one. */
const OUTDATED = 7 * 24 * 60 * MINUTE;

/** Beside the installed packages or, where nothing can be written there, below the data. */
export const preparedFolders = (data_dir: string) => [INSTALLED, resolve(data_dir, 'chromium')];

/** A file or folder that is made once. */
export type Preparation = {
  /** Where it may be, the best first. */
  folders: readonly string[];
  /** `<what>-<version>`: one of the same `what` with another version is an earlier release's. */
  name: string;
  /** Makes it at that path, which is not its own yet. */
  make: (path: string) => Promise<void>;
};

/**
 * The path of what was prepared, now or before. The places are folders of ours: what is started from a folder that
 * everybody may write to is anybody's program. Throws when it can be put nowhere.
 */
export async function prepared({ folders, name, make }: Preparation, now: Date): Promise<string> {
  for (const folder of folders) {
    const path = join(folder, name);
    if (await stat(path).catch(() => null)) return path;
  }
  const refusals: unknown[] = [];
  for (const folder of folders) {
    try {
      return await madeIn(folder, { name, make }, now);
    } catch (error) {
      refusals.push(error);
    }
  }
  throw new AggregateError(refusals, `${name} cannot be put anywhere: ${String(refusals.at(-1))}`);
}

/** Two processes may do this at the same time: each makes one of its own, and either is the whole. */
async function madeIn(
  folder: string,
  { name, make }: Omit<Preparation, 'folders'>,
  now: Date,
): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o755 });
  await removeOthers(folder, name, now);
  const unfinished = join(folder, `${name}.${process.pid}.part`);
  const path = join(folder, name);
  try {
    await make(unfinished);
    await rename(unfinished, path).catch(async (error) => {
      // A folder takes no other's place: the one that is there was made meanwhile.
      if (!(await stat(path).catch(() => null))) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return path;
}

/** An earlier release's, and what was left when a making was broken off: they take 200 MB. */
async function removeOthers(folder: string, name: string, now: Date): Promise<void> {
  const what = name.slice(0, name.indexOf('-') + 1);
  for (const entry of await readdir(folder)) {
    if (!entry.startsWith(what) || entry === name) continue;
    const path = join(folder, entry);
    const age = now.getTime() - ((await stat(path).catch(() => null))?.mtimeMs ?? now.getTime());
    if (age > (entry.endsWith('.part') ? BROKEN_OFF : OUTDATED)) {
      await rm(path, { recursive: true, force: true });
    }
  }
}
