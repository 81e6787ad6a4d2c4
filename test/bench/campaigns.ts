import { loadavg } from 'node:os';
import { kills } from './campaigns/kills.ts';
import { memory } from './campaigns/memory.ts';
import { requests } from './campaigns/requests.ts';
import { speed } from './campaigns/speed.ts';

/** The parts, which BENCH_CASES names where not all of them are asked for. */
const parts = { speed, memory, requests, kills };

/** What campaigns cost: mails a second beside nodemailer's pool, memory, requests meanwhile, and what kills leave. */
export async function bench(): Promise<string> {
  const asked = process.env['BENCH_CASES']?.split(',') ?? Object.keys(parts);
  const tables: string[] = [];
  for (const name of asked) {
    const part = parts[name as keyof typeof parts];
    if (!part) throw new Error(`There is no ${name}; there are ${Object.keys(parts).join(', ')}`);
    const load = loadavg()[0]!.toFixed(1);
    tables.push(`${await part()}\n\nLoad of the machine before it: ${load}`);
  }
  return tables.join('\n\n');
}
