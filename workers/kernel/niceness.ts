import { existsSync, readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Linux lists the threads of the process here; other systems have no such folder. */
const THREADS = '/proc/self/task';

/**
 * Raises the niceness of this process (0 to 19, as nice(1)), so that other processes get the processor first. One that
 * is higher already stays: to lower it takes a privilege.
 */
export function raiseNiceness(niceness: number): void {
  for (const thread of threads()) {
    if (getPriority(thread) < niceness) setPriority(thread, niceness);
  }
}

/**
 * Linux has a niceness for each thread, and a new thread takes that of the one that starts it. The runtime has threads
 * of its own by now. 0 stands for the calling process, or on Linux its main thread.
 */
function threads(): number[] {
  if (!existsSync(THREADS)) return [0];
  return [0, ...readdirSync(THREADS).map(Number)];
}
