import type { Reader } from '../../kernel/reader.ts';
import { revisionOf } from '../../kernel/revision.ts';
import { jobRow } from './queries.ts';
import { type JobRow, jobOf } from './record.ts';

/** The progress of a running job. */
export type JobEvent = { event: 'state' | 'progress'; id: string; data: unknown };

const ENDED = new Set<JobRow['status']>(['succeeded', 'failed', 'cancelled']);

/**
 * What has changed since the event with that ID: `state` with the whole job at first and when its status changes,
 * `progress` in between. An ID tells the revision and the status that its event told, so nothing need be remembered.
 * Errors: `not_found`.
 */
export async function jobEvents(
  reader: Reader,
  job_id: string,
  last_event_id: string | null,
): Promise<{ events: JobEvent[]; is_over: boolean }> {
  const row = await jobRow(reader, job_id);
  const { status } = row;
  const id = `${revisionOf(row)}.${status}`;
  const is_over = ENDED.has(status);
  if (id === last_event_id) return { events: [], is_over };
  const job = jobOf(row);
  const [, told_status] = last_event_id?.split('.') ?? [];
  const event: JobEvent =
    told_status === status && !is_over
      ? { event: 'progress', id, data: job.progress }
      : { event: 'state', id, data: job };
  return { events: [event], is_over };
}
