import { tablesOf } from './parts.ts';
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
export function bench(): Promise<string> {
  return tablesOf(parts);
}
