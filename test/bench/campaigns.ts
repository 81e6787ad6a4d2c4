import { kills } from './campaigns/kills.ts';
import { memory } from './campaigns/memory.ts';
import { requests } from './campaigns/requests.ts';
import { speed } from './campaigns/speed.ts';
import { tablesOf } from './parts.ts';

/** The parts, which BENCH_CASES names where not all of them are asked for. */
const parts = { speed, memory, requests, kills };

/** What campaigns cost: mails a second beside nodemailer's pool, memory, requests meanwhile, and what kills leave. */
export function bench(): Promise<string> {
  return tablesOf(parts);
}
