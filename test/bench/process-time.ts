import { readdirSync, readFileSync } from 'node:fs';
import type { TestDatabase } from '../support/database.ts';

const TICK = 10;

/** Milliseconds of processor time, its own and the system's for it, that a process has used so far; of Linux alone. */
export function processTime(pid: number): number {
  const { own } = timesOf(pid);
  return own;
}

/** The same of a whole server of PostgreSQL, with the connections that have ended since. */
export async function serverTime({ database }: TestDatabase): Promise<number> {
  const [row] = await database.withConnection('*', ({ query }) =>
    query<{ pid: number }>('SELECT pg_backend_pid() AS pid'),
  );
  const { parent } = timesOf(row!.pid);
  const children = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const times = timesOf(Number(name));
      return times.parent === parent ? [times.own] : [];
    } catch {
      // It has ended since its name was read, and its parent has its time by now.
      return [];
    }
  });
  const { own, ended } = timesOf(parent);
  return children.reduce((sum, each) => sum + each, own + ended);
}

function timesOf(pid: number): { parent: number; own: number; ended: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .map(Number);
  const [user, system, children, of_children] = fields.slice(11, 15) as [number, number, number, number];
  return { parent: fields[1]!, own: (user + system) * TICK, ended: (children + of_children) * TICK };
}
