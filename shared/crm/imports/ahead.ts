import { setImmediate } from 'node:timers/promises';
import type { Work } from '../../kernel/work.ts';
import { overtaken } from '../../platform/imports/overtaken.ts';

/** Sends what a work collects while more of it is made: the database writes meanwhile instead of afterwards. */
export type Ahead = {
  /** Sends what is collected. */
  send(): void;
  /** Lets what was sent leave, and takes what the database has answered. */
  turn(): Promise<void>;
  /** Waits for all that was sent. Errors: `overtaken`. */
  done(): Promise<void>;
};

/** Nothing else may wait for the statements of the work meanwhile. */
export function sendAhead(work: Work): Ahead {
  const sent: Promise<void>[] = [];
  return {
    send() {
      const sending = work.flushFacts();
      sending.catch(() => undefined);
      sent.push(sending);
    },
    turn: () => setImmediate(),
    async done() {
      try {
        // In their order: the first that failed tells why, those behind it only that the transaction is aborted.
        for (const one of sent) await one;
      } catch (error) {
        const { code } = error as { code?: unknown };
        if (code !== UNIQUE_VIOLATION && code !== FOREIGN_KEY_VIOLATION) throw error;
        throw overtaken(error);
      }
    },
  };
}

/**
 * Somebody else made a record with the same key at this moment, or removed one that a row refers to: the chunk is run
 * again, and sees it.
 */
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
