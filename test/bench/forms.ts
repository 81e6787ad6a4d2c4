import { loadavg } from 'node:os';
import { exported } from './forms/export.ts';
import { lists } from './forms/lists.ts';
import { page } from './forms/page.ts';
import { submit } from './forms/submit.ts';
import { summary } from './forms/summary.ts';

/** The parts, which BENCH_CASES names where not all of them are asked for. */
const parts = { submit, page, export: exported, summary, lists };

/** What forms cost: submissions and pages beside Koa and Objection, exports beside psql, summaries, pages of responses of small and large forms. */
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
