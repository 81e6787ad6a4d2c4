import {
  checks,
  type Difference,
  differencesOf,
  MOST_DIFFERENCES,
} from '../../shared/accounting/verify/checks.ts';
import { withBulk } from '../../shared/db/bulk.ts';
import { type Reader, systemActor } from '../../shared/kernel/reader.ts';
import { progressJob, startJob, succeedJob } from '../../shared/platform/jobs/operations.ts';
import type { Handler } from '../kernel/handler.ts';

/** The server itself: the pool's statements have 30 seconds, and those of large books take longer. */
export type VerifyOptions = { database_url: string };

/**
 * Verifies the books in one snapshot, check by check: entries that are posted meanwhile are in all of it or in none. The
 * result of the job lists what differs; a cancelled one ends before its next check.
 */
export function verifyBooks({ database_url }: VerifyOptions): Handler<{ job_id: string }> {
  return async ({ job_id }, { organization_id, delivery_id, clock, part, settle, signal }) => {
    let isOpen = false;
    await part(async (work) => {
      isOpen = await startJob(work, job_id);
    });
    if (!isOpen) return;
    const differences: Difference[] = [];
    let count = 0;
    await withBulk({ url: database_url, organization_id, signal }, async ({ connection }) => {
      connection.begin();
      await connection.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const reader: Reader = {
        connection,
        organization_id,
        actor: systemActor,
        now: clock(),
        request_id: delivery_id,
        ip_address: null,
      };
      for (const [done, check] of checks.entries()) {
        const found = await differencesOf(reader, check);
        count += found.count;
        differences.push(...found.first.slice(0, MOST_DIFFERENCES - differences.length));
        await part(async (work) => {
          isOpen = await progressJob(work, job_id, { done: done + 1, total: checks.length });
        });
        if (!isOpen) break;
      }
      await connection.commit();
    });
    if (!isOpen) return;
    await settle(async (work) => {
      await succeedJob(work, job_id, { ok: count === 0, differences_count: count, differences });
    });
  };
}
