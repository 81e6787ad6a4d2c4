import { exported } from './forms/export.ts';
import { lists } from './forms/lists.ts';
import { page } from './forms/page.ts';
import { submit } from './forms/submit.ts';
import { summary } from './forms/summary.ts';
import { tablesOf } from './parts.ts';

/** The parts, which BENCH_CASES names where not all of them are asked for. */
const parts = { submit, page, export: exported, summary, lists };

/** What forms cost: submissions and pages beside Koa and Objection, exports beside psql, summaries, pages of responses of small and large forms. */
export function bench(): Promise<string> {
  return tablesOf(parts);
}
