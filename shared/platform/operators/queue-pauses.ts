import { transaction } from '../../db/transaction.ts';
import type { Connection } from '../../kernel/connection.ts';
import type { Queue } from '../../kernel/job.ts';
import { installationState, lockInstallations } from '../installation/installation.ts';

/** Pauses a queue: no more of its jobs start; running ones continue. Answers whether it was not paused before. */
export async function pauseQueue(connection: Connection, queue: Queue, now: Date): Promise<boolean> {
  const rows = await connection.query(
    'INSERT INTO queue_pauses (queue, paused_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING queue',
    [queue, now.toISOString()],
  );
  return rows.length === 1;
}

/**
 * Resumes a queue. Answers whether it was paused and is resumed. The mails of a restored database resume with a decision
 * alone (shared/platform/installation/decision.ts), whoever paused them: a pause of the original is a part of its backup.
 */
export function resumeQueue(connection: Connection, queue: Queue): Promise<boolean> {
  return transaction(connection, async (commit) => {
    if (queue === 'email') {
      // No process draws an ID, and pauses the mails with it, between the look and the commit.
      await lockInstallations(connection);
      if ((await installationState(connection)).is_undecided) return false;
    }
    const rows = await connection.query(
      `WITH resumed AS (DELETE FROM queue_pauses WHERE queue = $1 RETURNING queue)
       SELECT queue, pg_notify('outbox', '') FROM resumed`,
      [queue],
    );
    await commit(Promise.resolve());
    return rows.length === 1;
  });
}

/** Since when each paused queue is. */
export async function queuePauses(connection: Connection): Promise<Map<string, string>> {
  const rows = await connection.query<{ queue: string; paused_at: string }>(
    'SELECT queue, paused_at FROM queue_pauses',
  );
  return new Map(rows.map(({ queue, paused_at }) => [queue, paused_at]));
}
