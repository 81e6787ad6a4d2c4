import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { inWork } from '../../db/in-work.ts';
import { systemActor } from '../../kernel/reader.ts';
import { dailyJob } from './jobs.ts';
import { planNextRun } from './plan.ts';

/** Organizations of one look. */
const TOGETHER = 100;

/**
 * Enqueues the daily run of organizations whose time has come, and plans the next one, both in one transaction: a run that
 * was missed while nothing worked is made up once. Answers how many.
 */
export async function startDailyRuns(database: Database, now: Date, signal: AbortSignal): Promise<number> {
  let started = 0;
  while (!signal.aborted) {
    const due = await database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
      query<{ organization_id: string }>(
        `SELECT organization_id FROM attendance_daily_runs WHERE due_at <= $1 ORDER BY due_at LIMIT ${TOGETHER}`,
        [now.toISOString()],
      ),
    );
    for (const { organization_id } of due) started += await startRun(database, organization_id, now);
    if (due.length < TOGETHER) break;
  }
  return started;
}

function startRun(database: Database, organization_id: string, now: Date): Promise<number> {
  return database.withConnection(organization_id, (connection) => {
    const reader = {
      connection,
      organization_id,
      actor: systemActor,
      now,
      request_id: null,
      ip_address: null,
    };
    return inWork(
      reader,
      async (work) => {
        const [locked] = await connection.query(
          `SELECT FROM attendance_daily_runs WHERE organization_id = $1 AND due_at <= $2 FOR UPDATE SKIP LOCKED`,
          [organization_id, now.toISOString()],
        );
        if (!locked) return 0;
        await planNextRun(work);
        work.enqueue(dailyJob, {});
        return 1;
      },
      { may_change_nothing: true },
    );
  });
}
