import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Database } from '../../shared/db/database.ts';
import type { Connection } from '../../shared/kernel/connection.ts';
import type { Job } from '../../shared/kernel/job.ts';
import type { Work } from '../../shared/kernel/work.ts';

/** What a handler is handed besides its payload. */
export type Delivery = {
  readonly database: Database;
  readonly organization_id: string;
  /** The same at every try: the key of effects outside the database. */
  readonly delivery_id: string;
  /** 1 at the first try. */
  readonly attempt: number;
  /** Whether the job is given up when this try fails. */
  readonly is_last_attempt: boolean;
  /** Aborted when the time limit has run out and when the process is about to end. */
  readonly signal: AbortSignal;
  /**
   * Aborted as soon as the process is asked to end. A job that works in parts throws its reason after the part at hand,
   * and continues in another process; a short job need not look at it.
   */
  readonly draining: AbortSignal;
  readonly log: Logger;
  readonly clock: () => Date;
  /**
   * Commits a part of a long job, with the checkpoint from which another try goes on. Errors: `Overtaken`; then nothing
   * is written.
   */
  part(run: (work: Work) => Promise<void>): Promise<void>;
  /**
   * For transactions that the handler opens itself: keeps other tries of the job out until it ends. Errors: `Overtaken`
   * where another try may have begun; the transaction is to be rolled back.
   */
  fence(connection: Connection): Promise<void>;
  /**
   * Writes the result and the receipt in one transaction, and only once however often the job is delivered: `run`
   * is not called when an earlier delivery has settled. A handler that returns without it had nothing to write. Errors:
   * `Overtaken`; then nothing is written.
   */
  settle(run: (work: Work) => Promise<void>): Promise<void>;
};

export type Handler<Payload> = (payload: Payload, delivery: Delivery) => Promise<void>;

/** Why a job was given up, in words for the one who asked for it. */
export type GivenUp = { code: string; message: string };

/** What a domain does of its own: before its first job, and when a delivery ends without its handler. */
export type Hooks<Payload> = {
  /** Once in a process that serves the job's queue, beside its first jobs. It throws nothing, and answers at once. */
  served?: (log: Logger) => void;
  /** Once, in the transaction that gives the delivery up. The job resource, where there is one, fails by itself. */
  gaveUp?: (payload: Payload, work: Work, error: GivenUp) => Promise<void>;
  /** Before the first try after an operator's retry, in a transaction of its own. */
  retried?: (payload: Payload, work: Work) => Promise<void>;
};

/** A job, what runs it, and what its domain writes when it is given up or retried. */
export type Handled = { job: Job; handle: Handler<unknown> } & Hooks<unknown>;

/** Puts a job and its handler together, the payload's type checked. */
export function handles<Payload extends z.ZodType>(
  job: Job<Payload>,
  handle: Handler<z.output<Payload>>,
  hooks: Hooks<z.output<Payload>> = {},
): Handled {
  return { job, handle: handle as Handler<unknown>, ...(hooks as Hooks<unknown>) };
}

/**
 * An error that another try cannot mend: the job is given up at once. The message may be logged, and the one who
 * asked for the job sees it with the code.
 */
export class PermanentFailure extends Error {
  override name = 'PermanentFailure';
  readonly code: string;

  constructor(message: string, { code = 'failed' }: { code?: string } = {}) {
    super(message);
    this.code = code;
  }
}

/**
 * An expected reason to try again later, for the log one line without a stack. The message may be logged. The next try
 * comes after `pause` milliseconds, or after the kernel's own growing pauses.
 */
export class TryLater extends Error {
  override name = 'TryLater';
  readonly pause: number | null;

  constructor(message: string, { pause = null, cause }: { pause?: number | null; cause?: unknown } = {}) {
    super(message, { cause });
    this.pause = pause;
  }
}

/**
 * Jobs of this kind must not run in this installation for now, whichever of them it is. The job is tried again soon, and
 * the try does not count. The message may be logged.
 */
export class HeldBack extends Error {
  override name = 'HeldBack';
}

/**
 * The job waits for others, and gives its place up meanwhile: it is tried again after so many milliseconds, and the try does
 * not count. The message may be logged.
 */
export class Postponed extends Error {
  override name = 'Postponed';
  readonly milliseconds: number;

  constructor(message: string, milliseconds: number) {
    super(message);
    this.milliseconds = milliseconds;
  }
}

/** Another try of the job may have started because this process was declared dead: this one writes nothing more. */
export class Overtaken extends Error {
  override name = 'Overtaken';

  constructor() {
    super('Another try of the job has begun');
  }
}
