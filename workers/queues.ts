import type { Queue } from '../shared/kernel/job.ts';

export type QueueShape = {
  /** How many jobs of the queue one process runs at a time. */
  concurrency: number;
  /** How many deliveries of one organization are in the queue at a time; the others wait in the outbox. */
  in_flight: number;
  /**
   * How many tickets more a process holds: of jobs that wait for their turn, and of those whose end is being written.
   * So many are written together. None where jobs are long: another process may be free.
   */
  ahead?: number;
  /** How many deliveries one ticket may stand for where many wait; one where absent. For short jobs alone. */
  together?: number;
};

/**
 * Where jobs are long, one organization gets fewer places than a process has, so that one is always left for the
 * next organization.
 */
export const queueShapes: Record<Queue, QueueShape> = {
  email: { concurrency: 10, in_flight: 20, ahead: 4, together: 8 },
  'csv-import': { concurrency: 3, in_flight: 2 },
  'report-export': { concurrency: 2, in_flight: 1 },
  'pdf-render': { concurrency: 4, in_flight: 8, ahead: 4 },
  'signing-reminder': { concurrency: 4, in_flight: 8 },
  'calendar-sync': { concurrency: 4, in_flight: 3 },
};
