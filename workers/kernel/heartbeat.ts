import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { type Database, EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import type { Queue } from '../../shared/kernel/job.ts';
import { reasonOf } from '../../shared/kernel/reason.ts';
import { queuePauses } from '../../shared/platform/operators/queue-pauses.ts';
import { BEAT, beat, endProcess } from '../../shared/platform/operators/worker-processes.ts';
import type { Serving } from './serve.ts';
import { warnOnceInAWhile } from './warn-once-in-a-while.ts';

export type HeartbeatOptions = {
  /** As operators know the process. */
  name: string;
  database: Database;
  engine: 'redis' | 'postgres';
  servings: ReadonlyMap<Queue, Serving>;
  /** False while the process must start no job; a resumed queue then waits. */
  may_work: () => boolean;
  log: Logger;
  clock: () => Date;
};

export type Heartbeat = { end(): Promise<void> };

/**
 * Tells every few seconds that this process is alive and what it has in hand, and heeds at the same time which queues
 * an operator has paused.
 */
export function startHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { name, database, engine, servings, may_work, log, clock } = options;
  const id = randomUUID();
  const started_at = clock().toISOString();
  const paused = new Set<Queue>();
  const warn = warnOnceInAWhile(
    (reason) => log.warn({ reason }, 'Cannot write the heartbeat of this process'),
    clock,
  );
  const ask = <T>(run: Parameters<typeof database.withConnection<T>>[1]) =>
    database.withConnection(EVERY_ORGANIZATION, run);
  let telling = tell();
  const timer = setInterval(() => {
    telling = telling.then(tell);
  }, BEAT);

  async function tell(): Promise<void> {
    const running = [...servings.values()].flatMap((serving) =>
      serving.running().map(({ since, ...job }) => ({ ...job, since: since.toISOString() })),
    );
    const row = {
      id,
      name,
      engine,
      host: hostname(),
      pid: process.pid,
      queues: [...servings.keys()],
      running,
      memory_bytes: process.memoryUsage.rss(),
      started_at,
      beat_at: clock().toISOString(),
    };
    try {
      heed(
        await ask(async (connection) => {
          await beat(connection, row);
          return queuePauses(connection);
        }),
      );
    } catch (error) {
      warn(reasonOf(error));
    }
  }

  /** Pauses are applied again each time: a process resumes all its queues when its clock is right again. */
  function heed(pauses: ReadonlyMap<string, string>): void {
    for (const [queue, serving] of servings) {
      if (pauses.has(queue)) {
        paused.add(queue);
        serving.pause().catch(() => undefined);
      } else if (paused.has(queue) && may_work()) {
        paused.delete(queue);
        serving.resume().catch(() => undefined);
      }
    }
  }

  return {
    end: async () => {
      clearInterval(timer);
      await telling;
      await ask((connection) => endProcess(connection, id)).catch(() => undefined);
    },
  };
}
