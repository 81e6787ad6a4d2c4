import { loadavg } from 'node:os';

/** The tables of a benchmark's parts, or of those that BENCH_CASES names, each with the load of the machine before it. */
export async function tablesOf(parts: Readonly<Record<string, () => Promise<string>>>): Promise<string> {
  const asked = process.env['BENCH_CASES']?.split(',') ?? Object.keys(parts);
  const tables: string[] = [];
  for (const name of asked) {
    const part = parts[name];
    if (!part) throw new Error(`There is no ${name}; there are ${Object.keys(parts).join(', ')}`);
    const load = loadavg()[0]!.toFixed(1);
    tables.push(`${await part()}\n\nLoad of the machine before it: ${load}`);
  }
  return tables.join('\n\n');
}
