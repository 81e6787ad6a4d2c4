import { Failure } from '../../shared/kernel/failure.ts';

/** Passwords of one address that this process hashes at a time: half of the threads that hash. */
const RUNNING = 2;

/** How many more may wait for their turn, some 25 a second. */
const WAITING = 50;

const RETRY_AFTER = 5;

type Queue = { running: number; waiting: (() => void)[] };

const queues = new Map<string, Queue>();

/**
 * Runs what hashes a password in the turn of its client address. A right password is never refused because of wrong
 * ones of its address, so each must be hashed: this bounds what one address can make the process hash, and leaves
 * threads for others. Errors: `rate_limited` where too many wait.
 */
export async function inTurnOfAddress<T>(address: string, run: () => Promise<T>): Promise<T> {
  const queue = queues.get(address) ?? { running: 0, waiting: [] };
  queues.set(address, queue);
  if (queue.running < RUNNING) queue.running++;
  else {
    if (queue.waiting.length >= WAITING) throw tooMany();
    // Who ended hands its place over, so `running` stays as it is.
    await new Promise<void>((resolve) => queue.waiting.push(resolve));
  }
  try {
    return await run();
  } finally {
    const next = queue.waiting.shift();
    if (next) next();
    else if (--queue.running === 0) queues.delete(address);
  }
}

function tooMany(): Failure {
  return new Failure('rate_limited', {
    detail: {
      en: `Too many passwords of this address are being checked; try again in ${RETRY_AFTER} s`,
      ja: `このアドレスからのパスワードの確認が集中しています。${RETRY_AFTER}秒後にもう一度お試しください`,
    },
    headers: { 'Retry-After': String(RETRY_AFTER) },
  });
}
