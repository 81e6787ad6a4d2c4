import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isAlive, killGroup, markOf, type ProcessMark, processNamespace } from './processes.ts';

/** Whose a browser's folder is: the worker that started it, and the browser itself once it runs. */
type Owner = { namespace: string; worker: ProcessMark | null; browser: ProcessMark | null };

const MINUTE = 60_000;
const WEEK = 7 * 24 * 60 * MINUTE;

/** Where browsers of this data folder live. */
export const homesOf = (data_dir: string) => resolve(data_dir, 'chromium', 'running');

/** Makes a folder for one browser to live in, marked as this worker's. */
export async function makeHome(homes: string): Promise<string> {
  await mkdir(homes, { recursive: true, mode: 0o700 });
  const home = await mkdtemp(join(homes, 'browser-'));
  await markHome(home, null);
  return home;
}

/** Notes which process lives there, for a worker that finds the folder when this one is dead. */
export async function markHome(home: string, pid: number | null): Promise<void> {
  const owner: Owner = {
    namespace: await processNamespace(),
    worker: await markOf(process.pid),
    browser: pid === null ? null : await markOf(pid),
  };
  await writeFile(join(home, 'owner.json'), JSON.stringify(owner));
}

/**
 * Ends the browsers whose worker is dead, and removes what they left; answers how many folders that were. A browser
 * ends by itself when its worker dies, unless it hangs. Processes are known by number and time of begin: no other
 * program is ever ended, and none that another container counts.
 */
export async function clearHomes(homes: string, now: Date): Promise<number> {
  let cleared = 0;
  for (const name of await readdir(homes).catch(() => [])) {
    const home = join(homes, name);
    if (!(await isLeft(home, now))) continue;
    await rm(home, { recursive: true, force: true });
    cleared += 1;
  }
  return cleared;
}

async function isLeft(home: string, now: Date): Promise<boolean> {
  const age = now.getTime() - ((await stat(home).catch(() => null))?.mtimeMs ?? now.getTime());
  const owner = await ownerOf(home);
  if (!owner) return age > MINUTE;
  if (owner.namespace !== (await processNamespace())) return age > WEEK;
  if (owner.worker && (await isAlive(owner.worker))) return false;
  if (owner.browser && (await isAlive(owner.browser))) killGroup(owner.browser.pid);
  return true;
}

async function ownerOf(home: string): Promise<Owner | null> {
  try {
    return JSON.parse(await readFile(join(home, 'owner.json'), 'utf8'));
  } catch {
    return null;
  }
}
