import { loadavg } from 'node:os';
import { contacts } from './http/contacts.ts';
import { lists } from './http/lists.ts';
import { processes } from './http/processes.ts';

/** The parts, which BENCH_CASES names where not all of them are asked for. */
const parts = { contacts, lists, processes };

/**
 * Requests beside bare servers: contacts in organizations of the sizes of BENCH_SIZES (a regular expression, BENCH_NAMED, names
 * some of the calls); a list of each domain beside that of contacts; two processes beside one.
 */
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
