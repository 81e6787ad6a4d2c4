import { Failure } from '../../shared/kernel/failure.ts';

/** How many of one address may wait. Its connections are bounded too, so that the newest is soon in turn. */
const MOST_WAITING = 100;

const RETRY_AFTER = 5;

type Waiting = { begin: () => void; refuse: () => void };

/** Waits for a turn of the address. Errors: `rate_limited` for the oldest where too many wait, and once `gone` aborts. */
export type SlowTurn = (address: string, gone: AbortSignal) => Promise<void>;

/**
 * Gives each address one turn after each `pause`. The newest is first: who guesses holds connections that wait, and
 * can so not stay ahead of somebody who comes later.
 */
export function slowTurns(pause: () => Promise<unknown>): SlowTurn {
  const addresses = new Map<string, Waiting[]>();

  async function giveTurns(address: string, waiting: Waiting[]): Promise<void> {
    while (waiting.length > 0) {
      await pause();
      waiting.pop()?.begin();
    }
    addresses.delete(address);
  }

  return function turnOf(address, gone) {
    if (gone.aborted) return Promise.reject(tooMany());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const own = { begin: resolve, refuse: () => reject(tooMany()) };
    const waiting = addresses.get(address) ?? [];
    waiting.push(own);
    if (waiting.length > MOST_WAITING) waiting.shift()?.refuse();
    if (!addresses.has(address)) {
      addresses.set(address, waiting);
      void giveTurns(address, waiting);
    }
    const leave = () => {
      const place = waiting.indexOf(own);
      if (place >= 0) waiting.splice(place, 1);
      own.refuse();
    };
    gone.addEventListener('abort', leave, { once: true });
    return promise.finally(() => gone.removeEventListener('abort', leave));
  };
}

function tooMany(): Failure {
  return new Failure('rate_limited', {
    detail: {
      en: `Too many wrong passwords from this address; try again in ${RETRY_AFTER} s`,
      ja: `このアドレスから誤ったパスワードが続いています。${RETRY_AFTER}秒後にもう一度お試しください`,
    },
    headers: { 'Retry-After': String(RETRY_AFTER) },
  });
}
