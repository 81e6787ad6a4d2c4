import type { DatabaseState } from '../../shared/platform/operators/database-state.ts';
import { isFailing, isOverdue, type ScheduleState } from '../../shared/platform/operators/schedules.ts';
import type { NotedTrouble } from '../../shared/platform/operators/trouble.ts';
import { isAlive, type WorkerProcess } from '../../shared/platform/operators/worker-processes.ts';
import type { QueueNumbers } from '../../shared/platform/outbox/numbers.ts';
import type { Surroundings } from '../surroundings.ts';
import type { EngineTrouble } from './board/engine.ts';
import { count, duration, percent } from './format.ts';

/** Something that wants an operator: `bad` now, `warn` today. */
export type Attention = { tone: 'bad' | 'warn'; title: string; sentence: string; path: string };

export type Situation = {
  now: Date;
  queues: readonly QueueNumbers[];
  /** Since when each paused queue is. */
  pauses: ReadonlyMap<string, string>;
  processes: readonly WorkerProcess[];
  schedules: readonly ScheduleState[];
  database: DatabaseState;
  /** Callers of this process that wait for a connection. */
  waiting_for_connection: number;
  lost_mails: number;
  engine_trouble: EngineTrouble | null;
  /** Whether the database was restored and nobody has decided what it is. */
  is_undecided: boolean;
  /** What has refused requests to this process in the last minutes. */
  troubles: readonly NotedTrouble[];
  surroundings: Pick<Surroundings, 'storage' | 'scanner' | 'clock'>;
};

/** Seconds that a due job may wait for its dispatch, and that a transaction may be open. */
const MOST_LAG = 60;
const LONG_TRANSACTION = 300;

/** Milliseconds for which a process that died without a word is listed. */
const RECENT = 600_000;

/** What an operator should look at, the worst first. Empty when all is well. */
export function attentionTo(situation: Situation): Attention[] {
  const found = [
    ...ofEngine(situation),
    ...ofWorkers(situation),
    ...ofQueues(situation),
    ...ofSchedules(situation),
    ...ofDatabase(situation),
    ...ofMails(situation),
    ...ofInstallation(situation),
    ...ofSurroundings(situation),
    ...ofTroubles(situation),
  ];
  return found.sort((left, right) => left.tone.localeCompare(right.tone));
}

function ofEngine({ engine_trouble }: Situation): Attention[] {
  if (engine_trouble === null) return [];
  const path = '/ops/board';
  if (engine_trouble.kind === 'away') {
    const sentence = 'Redis does not answer. Jobs are safe in the outbox and go on when it is back.';
    return [{ tone: 'bad', title: 'The queues cannot be reached', sentence, path }];
  }
  const sentence = `${engine_trouble.words.replace(/\.$/, '')}. Jobs are safe in the outbox and go on when Redis takes writes.`;
  return [{ tone: 'bad', title: 'Redis refuses what the queues write', sentence, path }];
}

function ofWorkers({ processes, now }: Situation): Attention[] {
  const path = '/ops#workers';
  const found: Attention[] = [];
  const isSomebodyAlive = processes.some((process) => isAlive(process, now));
  if (!isSomebodyAlive) {
    const sentence = 'No process has told of itself for half a minute: jobs wait, schedules do not run.';
    found.push({ tone: 'bad', title: 'No worker is alive', sentence, path });
  }
  for (const process of processes) {
    const silent = now.getTime() - Date.parse(process.beat_at);
    if (isAlive(process, now) || silent > RECENT) continue;
    const { name, host, pid, running } = process;
    const left = running.length === 1 ? '1 job' : `${running.length} jobs`;
    const work =
      running.length === 0
        ? 'Its jobs were taken up by others, or it had none.'
        : `It had ${left} in hand that another one takes up.`;
    const sentence = `It fell silent ${duration(silent / 1000)} ago. ${work}`;
    const title = `A worker has died: ${name ?? 'unnamed'} (${host} ${pid})`;
    found.push({ tone: 'warn', title, sentence, path });
  }
  return found;
}

function ofQueues({ queues, pauses, now }: Situation): Attention[] {
  const found: Attention[] = [];
  for (const { queue, lag_seconds, waiting } of queues) {
    const paused_at = pauses.get(queue);
    const path = `/ops/queues/${queue}`;
    if (paused_at) {
      const since = duration((now.getTime() - Date.parse(paused_at)) / 1000);
      const sentence = `For ${since}; ${count(waiting)} jobs wait.`;
      found.push({ tone: 'warn', title: `The queue ${queue} is paused`, sentence, path });
    } else if ((lag_seconds ?? 0) > MOST_LAG) {
      const sentence = `The oldest job has waited ${duration(lag_seconds ?? 0)} to be handed over.`;
      found.push({ tone: 'bad', title: `The queue ${queue} stands still`, sentence, path });
    }
  }
  const failed = queues.reduce((total, queue) => total + queue.failed, 0);
  if (failed > 0) {
    const sentence = 'They stay until somebody retries or discards them.';
    const title = failed === 1 ? 'A job was given up' : `${count(failed)} jobs were given up`;
    found.push({ tone: 'warn', title, sentence, path: '/ops/jobs?state=failed' });
  }
  return found;
}

function ofSchedules({ schedules, now }: Situation): Attention[] {
  const path = '/ops/schedules';
  return schedules.flatMap((schedule): Attention[] => {
    const { name, last_error } = schedule;
    if (isOverdue(schedule, now)) {
      const sentence = 'Its time has come and nobody runs it.';
      return [{ tone: 'bad', title: `The schedule ${name} is overdue`, sentence, path }];
    }
    if (!isFailing(schedule)) return [];
    return [{ tone: 'warn', title: `The schedule ${name} fails`, sentence: last_error ?? '', path }];
  });
}

function ofDatabase({ database, waiting_for_connection }: Situation): Attention[] {
  const { connections, max_connections, longest_transaction_seconds, longest_transaction_by } = database;
  const path = '/ops#database';
  const found: Attention[] = [];
  const used = connections / max_connections;
  if (used > 0.8) {
    const tone = used > 0.95 ? 'bad' : 'warn';
    const sentence = `${count(connections)} of ${count(max_connections)} (${percent(used)}) are in use.`;
    found.push({ tone, title: 'The database runs out of connections', sentence, path });
  }
  if ((longest_transaction_seconds ?? 0) > LONG_TRANSACTION) {
    const sentence = `${longest_transaction_by || 'Somebody'} has held one for ${duration(longest_transaction_seconds ?? 0)}: nothing behind it can be cleaned up.`;
    found.push({ tone: 'warn', title: 'A transaction stays open', sentence, path });
  }
  if (waiting_for_connection > 0) {
    const sentence = `${count(waiting_for_connection)} requests of this process wait for one.`;
    found.push({ tone: 'warn', title: 'The pool has no free connection', sentence, path });
  }
  return found;
}

function ofMails({ lost_mails }: Situation): Attention[] {
  if (lost_mails === 0) return [];
  const title = lost_mails === 1 ? 'A mail did not leave' : `${count(lost_mails)} mails did not leave`;
  const sentence = 'In the last 24 hours: refused for good, or nobody knows whether they arrived.';
  return [{ tone: 'warn', title, sentence, path: '/ops/mails' }];
}

function ofInstallation({ is_undecided }: Situation): Attention[] {
  if (!is_undecided) return [];
  const sentence =
    'No mail is sent and no earlier file is removed until npm run installation decides what this copy is.';
  const title = 'This database was restored from a backup';
  return [{ tone: 'bad', title, sentence, path: '/ops/queues/email' }];
}

function ofSurroundings({ surroundings: { storage, scanner, clock } }: Situation): Attention[] {
  const path = '/ops#this-process';
  const found: Attention[] = [];
  if (storage !== null)
    found.push({ tone: 'bad', title: 'Files cannot be kept', sentence: `${storage}.`, path });
  if (typeof scanner === 'string') {
    const sentence = `${scanner}. Uploads go on; their files stay pending until it answers.`;
    found.push({ tone: 'warn', title: 'Files are not scanned', sentence, path });
  }
  if (clock !== null) found.push({ tone: 'bad', title: 'The clock is wrong', sentence: `${clock}.`, path });
  return found;
}

/** The recorder keeps a sentence for each cause, which names what refuses and what to do. */
function ofTroubles({ troubles, now }: Situation): Attention[] {
  return troubles.map(({ sentence, count: refused, last_at }) => {
    const since = duration((now.getTime() - last_at.getTime()) / 1000);
    const title = refused === 1 ? 'A request was refused' : `${count(refused)} requests were refused`;
    return { tone: 'bad', title, sentence: `${sentence} (the last ${since} ago)`, path: '/ops#database' };
  });
}
