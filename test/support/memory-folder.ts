import { readFileSync, statfsSync } from 'node:fs';

const FOLDER = '/dev/shm';

/** What a run's databases take at the most, and as much again for whoever works beside it. */
const ENOUGH = 8 * 1024 ** 3;

/**
 * A folder in memory, where the machine has plenty of it and runs programs from there; null otherwise. Each test file
 * makes a thousand files of a database and removes them: in memory that takes half the processor time of a disk.
 */
export function memoryFolder(): string | null {
  try {
    const { bavail, bsize } = statfsSync(FOLDER);
    return bavail * bsize >= ENOUGH && availableMemory() >= ENOUGH && runsPrograms() ? FOLDER : null;
  } catch {
    return null;
  }
}

/** Bytes that programs may still take, of what the machine has. */
function availableMemory(): number {
  const [, kibibytes = '0'] = /^MemAvailable: +(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}

/** Where PostgreSQL's account cannot enter this clone, its programs are copied beside its data. */
function runsPrograms(): boolean {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const options = mounts.map((line) => line.split(' ')).find(([, at]) => at === FOLDER)?.[3];
  return options !== undefined && !options.split(',').includes('noexec');
}
