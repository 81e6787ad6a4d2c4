import { calls } from './received/calls.ts';
import { uploads } from './received/uploads.ts';
import { verify } from './received/verify.ts';

/** The parts, which BENCH_CASES names where not all of them are asked for. */
const parts = { calls, verify, uploads };

/** What received documents cost: calls beside those about contacts, verifying beside sha256sum, the memory of uploads. */
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
