import { loadavg } from 'node:os';
import { browser } from './sign/browser.ts';
import { latency } from './sign/latency.ts';
import { lists } from './sign/lists.ts';
import { memory } from './sign/memory.ts';
import { page } from './sign/page.ts';
import { reminders } from './sign/reminders.ts';
import { sealing } from './sign/sealing.ts';
import { trail } from './sign/trail.ts';

/** The parts, which BENCH_CASES names where not all of them are asked for. */
const parts = { sealing, latency, memory, page, browser, reminders, trail, lists };

/** What signing costs: seals beside bare libraries, the wait for one, memory, the page of a signer, reminders, trails, lists. */
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
