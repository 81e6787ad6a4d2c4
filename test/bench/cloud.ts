import { bytes } from './cloud/bytes.ts';
import { memory } from './cloud/memory.ts';
import { purge } from './cloud/purge.ts';
import { search } from './cloud/search.ts';
import { tree } from './cloud/tree.ts';

/** The parts, which BENCH_CASES names where not all of them are asked for. */
const parts = { bytes, memory, tree, purge, search };

/** What the cloud costs: bytes beside a bare server, memory, trees and lists of 100,000 files, searches, purges. */
export async function bench(): Promise<string> {
  const asked = process.env['BENCH_CASES']?.split(',') ?? Object.keys(parts);
  const tables: string[] = [];
  for (const name of asked) {
    const part = parts[name as keyof typeof parts];
    if (!part) throw new Error(`There is no ${name}; there are ${Object.keys(parts).join(', ')}`);
    tables.push(await part());
  }
  return tables.join('\n\n');
}
