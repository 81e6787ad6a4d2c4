import { readFileSync } from 'node:fs';

const TICK = 10;

/** Milliseconds of processor time, its own and the system's for it, that a process has used so far; of Linux alone. */
export function processTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}
