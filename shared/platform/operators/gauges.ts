import { Counter, Gauge, type Registry } from 'prom-client';
import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import type { Connection } from '../../kernel/connection.ts';
import { mailCounts } from '../mailer/troubled.ts';
import { queueNumbers } from '../outbox/numbers.ts';
import { databaseState } from './database-state.ts';
import { importTotals, openImports } from './imports.ts';
import { ageOf, type Measure, readMeasures } from './measure.ts';
import { queuePauses } from './queue-pauses.ts';
import { isFailing, isRetired, lateness, orphanedWork, scheduleStates } from './schedules.ts';
import { isAlive, workerProcesses } from './worker-processes.ts';

/** What one look at the database found. */
type Situation = Awaited<ReturnType<typeof readSituation>> & { now: Date };

/** A number with its labels. */
type Sample = [labels: Record<string, string>, value: number];

type Series = {
  name: string;
  help: string;
  labels?: readonly string[];
  /** A counter never falls: what is summed here stays in the database for good. */
  type?: 'counter';
  samples: (situation: Situation) => Sample[];
};

/** Milliseconds for which what was read serves: every series of one scrape, and scrapes that come together. */
const FRESH = 1_000;

/**
 * The numbers of the whole service, read from the database whenever the registry is asked: they are the same from every
 * process that tells them. Without a database they are absent, and the other numbers can still be had.
 */
export function serviceGauges(
  registry: Registry,
  { database, clock, measures }: { database: Database; clock: () => Date; measures: readonly Measure[] },
): void {
  let reading: { at: number; found: Promise<Situation | null> } | undefined;
  const look = () => {
    if (!reading || performance.now() - reading.at > FRESH) {
      const now = clock();
      const found = database
        .withConnection(EVERY_ORGANIZATION, (connection) => readSituation(connection, now, measures))
        .then((read) => ({ ...read, now }))
        .catch(() => null);
      reading = { at: performance.now(), found };
    }
    return reading.found;
  };
  for (const { name, help, labels = [], type, samples } of [...SERIES, ...measures.flatMap(seriesOf)]) {
    const options = { name, help, labelNames: [...labels], registers: [registry] };
    const fill = async (metric: { reset(): void; remove(): void }, put: (sample: Sample) => void) => {
      const situation = await look();
      metric.reset();
      // After the reset a metric without labels would be 0, a value that was never counted.
      if (labels.length === 0) metric.remove();
      if (situation) for (const sample of samples(situation)) put(sample);
    };
    if (type === 'counter') {
      new Counter({
        ...options,
        collect() {
          return fill(this, ([own, value]) => this.inc(own, value));
        },
      });
    } else {
      new Gauge({
        ...options,
        collect() {
          return fill(this, ([own, value]) => this.set(own, value));
        },
      });
    }
  }
}

async function readSituation(connection: Connection, now: Date, measures: readonly Measure[]) {
  const [queues, pauses, processes, schedules, server, mails, imports, import_totals, measured] =
    await Promise.all([
      queueNumbers(connection, now),
      queuePauses(connection),
      workerProcesses(connection),
      scheduleStates(connection, now),
      databaseState(connection),
      mailCounts(connection),
      openImports(connection),
      importTotals(connection),
      readMeasures(connection, measures),
    ]);
  return { queues, pauses, processes, schedules, server, mails, imports, import_totals, measured };
}

/** The number of a measure, and the age of the oldest where it has one. */
function seriesOf({ name, help, age }: Measure): Series[] {
  const found = ({ measured }: Situation) => measured.find(({ measure }) => measure.name === name)!;
  const number: Series = { name, help, samples: (situation) => [[{}, found(situation).value]] };
  if (age === undefined) return [number];
  return [
    number,
    {
      name: `${name}_oldest_seconds`,
      help: `${help}: how long ago the oldest had ${age.en}; 0 where there is none`,
      samples: (situation) => [[{}, ageOf(found(situation), situation.now)]],
    },
  ];
}

const SERIES: readonly Series[] = [
  {
    name: 'queue_depth',
    help: 'Jobs by state: due or later in the outbox, in_flight in the queue or with a worker, failed and kept',
    labels: ['queue', 'state'],
    samples: ({ queues }) =>
      queues.flatMap(({ queue, waiting, later, in_flight, failed }): Sample[] => [
        [{ queue, state: 'due' }, waiting - later],
        [{ queue, state: 'later' }, later],
        [{ queue, state: 'in_flight' }, in_flight],
        [{ queue, state: 'failed' }, failed],
      ]),
  },
  {
    name: 'outbox_lag_seconds',
    help: 'How long the oldest due job has waited to be handed to its queue; 0 while the queue is paused',
    labels: ['queue'],
    samples: ({ queues }) => queues.map(({ queue, lag_seconds }) => [{ queue }, lag_seconds ?? 0]),
  },
  {
    name: 'queue_oldest_job_seconds',
    help: 'Age of the oldest job that is due or in its queue',
    labels: ['queue'],
    samples: ({ queues }) => queues.map(({ queue, oldest_seconds }) => [{ queue }, oldest_seconds ?? 0]),
  },
  {
    name: 'queue_paused',
    help: 'Whether an operator has paused the queue',
    labels: ['queue'],
    samples: ({ queues, pauses }) => queues.map(({ queue }) => [{ queue }, Number(pauses.has(queue))]),
  },
  {
    name: 'worker_processes',
    help: 'Processes of workers that told of themselves in the last half minute',
    samples: ({ processes, now }) => [[{}, processes.filter((process) => isAlive(process, now)).length]],
  },
  {
    name: 'schedule_lateness_seconds',
    help: 'How long the time of a schedule has come without a run; 0 when none is due',
    labels: ['schedule'],
    samples: ({ schedules, now }) =>
      schedules
        .filter((each) => !isRetired(each, now))
        .map((each) => [{ schedule: each.name }, Math.max(0, lateness(each, now) / 1000)]),
  },
  {
    name: 'schedule_failing',
    help: 'Whether the latest run of a schedule has failed',
    labels: ['schedule'],
    samples: ({ schedules, now }) =>
      schedules
        .filter((each) => !isRetired(each, now))
        .map((each) => [{ schedule: each.name }, Number(isFailing(each))]),
  },
  {
    name: 'orphaned_work',
    help: 'Mails, jobs, imports and prints that the latest look found without a delivery, and put right',
    samples: ({ schedules }) => [[{}, orphanedWork(schedules)]],
  },
  {
    name: 'mails',
    help: 'Mails that have not left, by status',
    labels: ['status'],
    samples: ({ mails }) => Object.entries(mails).map(([status, number]) => [{ status }, number]),
  },
  {
    name: 'imports_open',
    help: 'Imports that have not ended, by status',
    labels: ['status'],
    samples: ({ imports }) => imports.map(({ status, count }) => [{ status }, count]),
  },
  {
    name: 'import_rows_total',
    help: 'Rows of imported files, by what came of them',
    labels: ['outcome'],
    type: 'counter',
    samples: ({ import_totals }) =>
      Object.entries(import_totals).map(([outcome, rows]) => [{ outcome }, rows]),
  },
  {
    name: 'database_size_bytes',
    help: 'Size of the database on its disk',
    samples: ({ server }) => [[{}, Number(server.size_bytes)]],
  },
  {
    name: 'database_connections',
    help: 'Connections to the database server, of all programs',
    samples: ({ server }) => [[{}, server.connections]],
  },
  {
    name: 'database_connections_limit',
    help: 'Connections that the database server takes',
    samples: ({ server }) => [[{}, server.max_connections]],
  },
  {
    name: 'database_longest_transaction_seconds',
    help: 'How long the oldest open transaction has been open',
    samples: ({ server }) => [[{}, server.longest_transaction_seconds ?? 0]],
  },
];
