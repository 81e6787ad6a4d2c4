import { setTimeout as pause } from 'node:timers/promises';
import { systemActor } from '../../shared/kernel/reader.ts';
import type { Exporter } from '../../shared/platform/exports/exporter.ts';
import { windowOf } from '../../shared/platform/exports/operations.ts';
import type { ExportRequest } from '../../shared/platform/exports/record.ts';
import { countRows } from '../../shared/platform/exports/statement.ts';
import { progressJob } from '../../shared/platform/jobs/operations.ts';
import { type Delivery, Overtaken } from '../kernel/handler.ts';

/** The one who asked has cancelled the job. */
export class Cancelled extends Error {
  override name = 'Cancelled';
}

export type Reporting = {
  /** Aborted when the job was cancelled, and with the delivery's own. */
  signal: AbortSignal;
  /** Where the number of rows written so far is reported. */
  follow(rows: () => number): void;
  end(): Promise<void>;
};

/** People see something move at least once a second. */
const EVERY = 500;

/**
 * Says how far an export is, and looks whether it was cancelled, while the database may be busy sorting. Only one that
 * takes longer than a moment has its rows counted: to count first would make the short ones slower.
 */
export function reporting(
  { job_id, exporter, request }: { job_id: string; exporter: Exporter; request: ExportRequest },
  delivery: Delivery,
): Reporting {
  const cancelled = new AbortController();
  const ended = new AbortController();
  let rows = () => 0;
  let total: number | null = null;

  async function report(): Promise<void> {
    for (let ticks = 0; ; ticks += 1) {
      await pause(EVERY, null, { signal: ended.signal });
      await tell();
      if (ticks === 1) count().catch(() => undefined);
    }
  }

  async function tell(): Promise<void> {
    let isOpen = true;
    try {
      await delivery.part(async (work) => {
        isOpen = await progressJob(work, job_id, { done: rows(), total });
      });
    } catch (error) {
      // Nobody waits for the file of this try any more.
      if (error instanceof Overtaken) return cancelled.abort(error);
      delivery.log.warn({ reason: String(error) }, 'Could not update the progress of an export');
    }
    if (!isOpen) cancelled.abort(new Cancelled('The job was cancelled'));
  }

  async function count(): Promise<void> {
    const { database, organization_id, delivery_id, clock } = delivery;
    const who = { actor: systemActor, organization_id, request_id: delivery_id, ip_address: null };
    total = await database.withConnection(
      organization_id,
      async (connection) => {
        const reader = { ...who, connection, now: clock() };
        return countRows(reader, await exporter.list(reader, request.filters, windowOf(request)));
      },
      ended.signal,
    );
  }

  const loop = report().catch(() => undefined);
  return {
    signal: AbortSignal.any([delivery.signal, cancelled.signal]),
    follow(told) {
      rows = told;
    },
    async end() {
      ended.abort();
      await loop;
    },
  };
}
