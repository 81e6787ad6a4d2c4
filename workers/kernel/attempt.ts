import type { Logger } from 'pino';
import { z } from 'zod';
import type { Database } from '../../shared/db/database.ts';
import { unavailableBy } from '../../shared/db/outage.ts';
import { Failure } from '../../shared/kernel/failure.ts';
import { reasonOf } from '../../shared/kernel/reason.ts';
import type { Trouble, TroubleKind } from '../../shared/kernel/trouble.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { reasons } from '../../shared/platform/operators/reasons.ts';
import { noteTrouble } from '../../shared/platform/operators/trouble.ts';
import {
  type GivenUp,
  type Handled,
  HeldBack,
  Overtaken,
  PermanentFailure,
  Postponed,
  TryLater,
} from './handler.ts';
import { limited, TooLong } from './limited.ts';
import type { Outbox, Start } from './outbox.ts';
import { commitPart, fence, settle } from './settle.ts';

/** The outcome of one try. `error` may be logged and shown to operators. */
export type Outcome =
  | { kind: 'done' }
  /**
   * `is_refused`: the database or `HeldBack` refuses all jobs of this kind for now. The try does not count. `pause`:
   * milliseconds until the next try, where the handler names them.
   */
  | { kind: 'again'; error: string; is_refused: boolean; pause: number | null }
  /** It waits for other jobs, by its own will. The try does not count. */
  | { kind: 'postponed'; error: string; milliseconds: number }
  | { kind: 'hopeless'; error: string; told: GivenUp }
  | { kind: 'stopped' }
  /** Another try has begun meanwhile, and this one has written nothing. */
  | { kind: 'overtaken' };

export type Attempt = {
  database: Database;
  outbox: Outbox;
  handled: Handled | undefined;
  payload: unknown;
  start: Start;
  attempt: number;
  /** Done before the handler, as a part of the try. */
  first: () => Promise<void>;
  /** Called when the handler has returned and had nothing to write: only its end is missing. */
  returned: () => void;
  /** Aborted when the process is asked to end, and when it is about to. */
  draining: AbortSignal;
  stopping: AbortSignal;
  log: Logger;
  clock: () => Date;
};

/** Tries of a job that this release does not know: a newer one may be rolling out. */
const ATTEMPTS_OF_UNKNOWN = 12;

/** What refuses every job alike, until an operator has mended it: no fault of the one that met it. */
const FOR_ALL: ReadonlySet<TroubleKind> = new Set(['disk_full', 'too_many_connections', 'read_only']);

/** What the database or the store refuses for, also where a handler has sent its statements past the pool. */
function troubleOf(error: unknown): Trouble | undefined {
  return (error instanceof Failure ? error : unavailableBy(error))?.details.trouble;
}

/** Runs a handler once, within its time limit, and returns the outcome. Never throws. */
export async function runAttempt(attempt: Attempt): Promise<Outcome> {
  const { handled, draining, stopping, log } = attempt;
  const attempts = handled?.job.attempts ?? ATTEMPTS_OF_UNKNOWN;
  const is_last_attempt = attempt.attempt >= attempts;
  try {
    if (!handled) throw new TryLater(reasons.no_handler().en);
    await limited(handled.job.time_limit, stopping, async (signal) => {
      await attempt.first();
      await run(handled, attempt, is_last_attempt, signal);
    });
    log.debug('A job succeeded');
    return { kind: 'done' };
  } catch (error) {
    if (error instanceof Overtaken) return { kind: 'overtaken' };
    if (stopping.aborted || (draining.aborted && error === draining.reason)) return { kind: 'stopped' };
    const trouble = troubleOf(error);
    if (trouble) noteTrouble(trouble, attempt.clock());
    if (trouble && FOR_ALL.has(trouble.kind)) {
      log.error({ trouble: trouble.kind, reason: reasonOf(error) }, trouble.sentence);
      return { kind: 'again', error: trouble.sentence, is_refused: true, pause: null };
    }
    const reason = storable(reasonOf(error));
    if (error instanceof HeldBack) {
      log.warn({ reason }, 'A job is held back');
      return { kind: 'again', error: reason, is_refused: true, pause: null };
    }
    if (error instanceof Postponed) {
      log.debug({ reason }, 'A job waits for others');
      return { kind: 'postponed', error: reason, milliseconds: error.milliseconds };
    }
    if (error instanceof PermanentFailure || is_last_attempt) {
      if (!(error instanceof PermanentFailure || error instanceof TryLater))
        log.error(described(error), 'A job failed');
      return { kind: 'hopeless', error: reason, told: toldOf(error, reason, attempt.attempt) };
    }
    if (error instanceof TryLater) log.warn({ reason }, 'A job will be retried');
    else log.warn(described(error), 'A job failed and will be retried');
    const pause = error instanceof TryLater ? error.pause : null;
    return { kind: 'again', error: reason, is_refused: false, pause };
  }
}

async function run(
  handled: Handled,
  { database, outbox, payload, start, attempt, draining, log, clock, returned }: Attempt,
  is_last_attempt: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { organization_id, delivery_id } = start;
  const parsed = handled.job.payload.safeParse(payload);
  if (!parsed.success) throw new PermanentFailure(reasons.wrong_payload(z.prettifyError(parsed.error)).en);
  let settled = false;
  const settleOnce = async (write: ((work: Work) => Promise<void>) | null) => {
    if (settled) throw new Error('A job can settle only once');
    settled = true;
    signal.throwIfAborted();
    const now = clock();
    const settled_as = write
      ? (await settle({ database, start, now, signal }, write)) && 'settled'
      : await outbox.settle({ ...start, now });
    if (settled_as === 'overtaken') throw new Overtaken();
    if (settled_as !== 'settled') log.info('An earlier delivery of the job has settled; nothing was changed');
  };
  await handled.handle(parsed.data, {
    database,
    organization_id,
    delivery_id,
    attempt,
    is_last_attempt,
    signal,
    draining,
    log,
    clock,
    part: (write) => commitPart({ database, start, now: clock(), signal }, write),
    fence: (connection) => fence(connection, start),
    settle: settleOnce,
  });
  if (settled) return;
  returned();
  await settleOnce(null);
}

/** The reason of a last try in words for the one who asked: an unexpected error's own text is for operators alone. */
function toldOf(error: unknown, reason: string, tries: number): GivenUp {
  if (error instanceof PermanentFailure) return { code: error.code, message: reason };
  const isOne = tries === 1;
  if (error instanceof TooLong || error instanceof TryLater) {
    const told = isOne ? reasons.given_up_after_one(reason) : reasons.given_up_after(reason, tries);
    return { code: error instanceof TooLong ? 'time_limit' : 'gave_up', message: told.en };
  }
  const told = isOne ? reasons.unexpected_after_one() : reasons.unexpected_after(tries);
  return { code: 'gave_up', message: told.en };
}

/** Characters of a reason that are kept: a foreign server's words may have no end. */
const LONGEST_REASON = 4_000;

/**
 * A reason as PostgreSQL's text and jsonb can hold it, without NUL and halves of characters: one that cannot be written
 * would have its job begun for ever.
 */
function storable(reason: string): string {
  return reason.slice(0, LONGEST_REASON).replaceAll('\0', '\ufffd').toWellFormed();
}

/** The parts of an error that hold no values of records: a driver's error has them in its other fields. */
function described(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { reason: String(error) };
  const { name, stack } = error;
  return { error: { name, message: reasonOf(error), stack, code: 'code' in error ? error.code : undefined } };
}
