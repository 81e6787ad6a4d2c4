import type { z } from 'zod';
import type { Vocabulary } from './vocabulary.ts';

/** Work for a worker: declared beside its domain, so that whoever asks for it need not load what runs it. */
export type Job<Payload extends z.ZodType = z.ZodType> = {
  /** `<domain>.<what it does>`, the same word in the queue, the outbox, the log and the metrics. */
  name: string;
  queue: Queue;
  /** IDs only: no copies of records, no secrets, no personal data. Checked when enqueued and when taken. */
  payload: Payload;
  /** How often it is tried in all before it is given up. */
  attempts: number;
  /** Milliseconds that one attempt may take. */
  time_limit: number;
  /** Which of an organization's waiting jobs go first, unless the one who asks says otherwise. Normal where absent. */
  priority?: Priority;
};

/** As the outbox and the queues order them: the lower number first. */
export const priorities = { high: 1, normal: 2, low: 3 } as const;

export type Priority = keyof typeof priorities;

type QueuesOf<Declared> = Declared extends { queues: infer Queues } ? keyof Queues & string : never;

/** The name of a queue that the platform declares. */
export type Queue = { [Owner in keyof Vocabulary]: QueuesOf<Vocabulary[Owner]> }[keyof Vocabulary];

/** Declares a job; the value is what `work.enqueue` and the workers' list of handlers name. */
export function job<Payload extends z.ZodType>(declaration: Job<Payload>): Job<Payload> {
  return declaration;
}
