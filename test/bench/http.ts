import { contacts } from './http/contacts.ts';
import { lists } from './http/lists.ts';
import { processes } from './http/processes.ts';
import { tablesOf } from './parts.ts';

/** The parts, which BENCH_CASES names where not all of them are asked for. */
const parts = { contacts, lists, processes };

/**
 * Requests beside bare servers: contacts in organizations of the sizes of BENCH_SIZES (a regular expression, BENCH_NAMED, names
 * some of the calls); a list of each domain of BENCH_ROWS rows, beside that of contacts too (BENCH_NAMED names some of the lists);
 * two processes beside one.
 */
export function bench(): Promise<string> {
  return tablesOf(parts);
}
