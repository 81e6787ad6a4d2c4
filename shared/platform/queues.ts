export type QueueShape = {
  /** The group of worker processes that serves the queue: start/groups.ts says what each group may use. */
  group: 'workers' | 'workers-pdf' | 'workers-bulk';
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
 * Every queue, once. Where jobs are long, one organization gets fewer places than a process has, so that one is always
 * left for the next organization.
 */
export const queues = shapes({
  email: { group: 'workers', concurrency: 10, in_flight: 20, ahead: 4, together: 8 },
  'csv-import': { group: 'workers-bulk', concurrency: 3, in_flight: 2 },
  'report-export': { group: 'workers-bulk', concurrency: 3, in_flight: 2 },
  'pdf-render': { group: 'workers-pdf', concurrency: 4, in_flight: 8, ahead: 4 },
  'signing-reminder': { group: 'workers', concurrency: 4, in_flight: 8 },
  storage: { group: 'workers', concurrency: 2, in_flight: 1 },
  campaign: { group: 'workers-bulk', concurrency: 6, in_flight: 4 },
  'calendar-sync': { group: 'workers', concurrency: 4, in_flight: 3 },
});

/** The names of the queues in the order of their declaration. */
export const queueNames = Object.keys(queues) as readonly (keyof typeof queues)[];

function shapes<Name extends string>(declared: Record<Name, QueueShape>): Readonly<Record<Name, QueueShape>> {
  return declared;
}
