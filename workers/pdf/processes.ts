import { readdir, readFile, readlink } from 'node:fs/promises';

/** A process, told from a later one with the same number by the time that it began. */
export type ProcessMark = { pid: number; began: string };

const PAGE = 4096;

/** The mark of a process; null where there is none, and on systems without /proc. */
export async function markOf(pid: number): Promise<ProcessMark | null> {
  const fields = await statOf(pid);
  return fields && { pid, began: fields[19]! };
}

/** Whether that very process is alive. */
export async function isAlive({ pid, began }: ProcessMark): Promise<boolean> {
  const fields = await statOf(pid);
  return fields !== null && fields[0] !== 'Z' && fields[19] === began;
}

/** What process numbers are counted in: containers that share a folder count each for themselves. */
export async function processNamespace(): Promise<string> {
  return readlink('/proc/self/ns/pid').catch(() => 'none');
}

/** Kills a process and its whole group. A process that has ended already is not an error. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Bytes that the processes of a group hold for themselves, without what they share; 0 where that cannot be read. */
export async function memoryOfGroup(group: number): Promise<number> {
  const pids = await readdir('/proc').catch(() => []);
  const sizes = await Promise.all(
    pids.map(async (pid) => {
      if (!/^\d+$/.test(pid) || (await statOf(pid))?.[2] !== `${group}`) return 0;
      const [, resident = 0, shared = 0] = (await text(`/proc/${pid}/statm`)).split(' ').map(Number);
      return (resident - shared) * PAGE;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The fields of proc(5) from the third on; the second, a name, may hold anything. */
async function statOf(pid: number | string): Promise<string[] | null> {
  const stat = await text(`/proc/${pid}/stat`);
  return stat === '' ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

async function text(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
