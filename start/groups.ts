import type { Queue } from '../shared/kernel/job.ts';
import { type QueueShape, queueNames, queues } from '../shared/platform/queues.ts';

export type WorkerGroup = {
  /** As the logs name it. */
  name: QueueShape['group'];
  queues: readonly Queue[];
  /** MiB of old objects at which the process ends; its jobs go to the next one, the other groups go on. */
  heap: number;
  /**
   * MiB of each half of the young objects' space; the runtime's own choice where absent. Rows that stream through die
   * young however small it is, and a small one keeps the process 60 MiB smaller (docs/performance.md).
   */
  young?: number;
  /** Niceness of its processes (nice(1), 1 to 19): they take the processor when nothing of a lower one asks for it. */
  nice?: number;
};

/**
 * The processes of workers that npm start runs, and docker-compose.yml as containers: long work that may grow stands
 * apart from the short work that people wait for, and what drives Chromium apart from both.
 */
export const workerGroups: readonly WorkerGroup[] = [
  { name: 'workers', queues: queuesOf('workers'), heap: 256 },
  { name: 'workers-pdf', queues: queuesOf('workers-pdf'), heap: 256, young: 4 },
  { name: 'workers-bulk', queues: queuesOf('workers-bulk'), heap: 512, young: 4, nice: 10 },
];

/** The words that the workers' program is started with, for a process of this group. */
export function wordsOf({ name, queues, nice }: WorkerGroup): string[] {
  const words = ['--name', name, '--queues', queues.join(',')];
  return nice === undefined ? words : [...words, '--nice', String(nice)];
}

function queuesOf(group: QueueShape['group']): readonly Queue[] {
  return queueNames.filter((name) => queues[name].group === group);
}
