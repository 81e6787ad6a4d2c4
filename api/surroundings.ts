import type { Logger } from 'pino';
import { type Database, EVERY_ORGANIZATION } from '../shared/db/database.ts';
import { pendingMigrations } from '../shared/db/migrate.ts';
import { Failure } from '../shared/kernel/failure.ts';
import type { Text } from '../shared/kernel/language.ts';
import { reasonOf } from '../shared/kernel/reason.ts';
import type { Scanner } from '../shared/platform/intake/scanner.ts';
import { clockDifference, clockWords, isClockWrong } from '../shared/platform/operators/clock.ts';
import { readOnceIn } from '../shared/platform/operators/read-once.ts';
import { reasons } from '../shared/platform/operators/reasons.ts';
import type { Storage } from '../shared/platform/storage/storage.ts';

/** What the API depends on: for each the sentence that says what is wrong, null where nothing is known to be. */
export type Surroundings = {
  database: string | null;
  migrations: string | null;
  storage: string | null;
  /** clamd; undefined where the settings name none. */
  scanner: string | null | undefined;
  clock: string | null;
  /** Milliseconds that this process's clock is ahead of the database's; null before the first answer. */
  clock_difference: number | null;
};

export type SurroundingsWatch = {
  /** What the latest look found; another look follows where it is old. The first call waits for the first look. */
  latest(): Promise<Surroundings>;
  /** Looks every few seconds from now on, so that the log tells what is missing before anybody asks. */
  start(): void;
  end(): void;
};

type Options = {
  database: Database;
  storage: Storage;
  scanner: Scanner | null;
  log: Logger;
  now: () => Date;
};

/** Milliseconds between two looks, and for which one check of the store or the scanner serves. */
const EVERY = 5_000;
const CHECK_FRESH = 10_000;
/** Milliseconds that a look waits for such a check, and after which one without an answer counts as silence. */
const CHECK_PATIENCE = 1_000;
const CHECK_SILENCE = 10_000;

/**
 * Watches what the API depends on. The log has one warning when something is missing and one line when it is there.
 * Nothing of it ends the process: requests are answered with 503 meanwhile, and recover by themselves.
 */
export function watchSurroundings({ database, storage, scanner, log, now }: Options): SurroundingsWatch {
  let known: Surroundings | null = null;
  let timer: NodeJS.Timeout | undefined;
  let migrated = false;
  const tell = changesTo(log);
  const lookAtStore = looker(reasons.store_silent, () => storage.check());
  const lookAtScanner = scanner
    ? looker(reasons.scanner_silent, () => scanner.check())
    : async () => undefined;

  async function lookAtDatabase(): Promise<Omit<Surroundings, 'storage' | 'scanner'>> {
    try {
      const clock_difference = await clockDifference(database, now);
      const clock = isClockWrong(clock_difference)
        ? reasons.clock_to_be_set(clockWords(clock_difference)).en
        : null;
      return { database: null, migrations: await lookAtMigrations(), clock, clock_difference };
    } catch (error) {
      // A database that is away tells nothing new of its schema and its clock.
      const { migrations = null, clock = null, clock_difference = null } = known ?? {};
      const sentence = reasons.database_silent(wordsOf(error)).en;
      return { database: sentence, migrations, clock, clock_difference };
    }
  }

  async function lookAtMigrations(): Promise<string | null> {
    if (migrated) return null;
    const pending = await database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
      pendingMigrations((text) => query(text)),
    );
    migrated = pending.length === 0;
    if (migrated) return null;
    return `The database lacks ${pending.length} migrations of this release, from ${pending[0]} on: run npm run migrate`;
  }

  const look = readOnceIn(EVERY, async () => {
    const [server, store, scan] = await Promise.all([lookAtDatabase(), lookAtStore(), lookAtScanner()]);
    const found = { ...server, storage: store, scanner: scan };
    tell(found);
    known = found;
    return found;
  });

  return {
    latest: async () => {
      const next = look();
      return known ?? next;
    },
    start() {
      look();
      timer = setInterval(look, EVERY).unref();
    },
    end: () => clearInterval(timer),
  };
}

/**
 * Checks what may be silent, and answers the sentence that says what is wrong, null where it answered. A check without an
 * answer can hold a thread or a connection: no second one begins before the first has ended.
 */
function looker(
  silent: (words: string) => Text,
  check: () => Promise<unknown>,
): () => Promise<string | null> {
  let known: string | null = null;
  let began = 0;
  const checkOnce = readOnceIn(CHECK_FRESH, () => {
    began = performance.now();
    return check().then(
      () => null,
      (error) => silent(wordsOf(error)).en,
    );
  });
  return async () => {
    const patience = new Promise<'waiting'>((resolve) => {
      setTimeout(resolve, CHECK_PATIENCE, 'waiting').unref();
    });
    const found = await Promise.race([checkOnce(), patience]);
    if (found !== 'waiting') known = found;
    else if (performance.now() - began >= CHECK_SILENCE) known = silent(reasons.is_silent().en).en;
    return known;
  };
}

const THERE_AGAIN = {
  database: 'The database answers',
  migrations: 'The migrations are applied',
  storage: 'File storage answers',
  scanner: 'clamd answers',
  clock: 'The clock is right again',
} as const;

/** Says each reason once in an outage: the first may be another than the one that lasts. */
function changesTo(log: Logger): (found: Surroundings) => void {
  const told = new Map<string, Set<string>>();
  return (found) => {
    for (const [name, there_again] of Object.entries(THERE_AGAIN)) {
      const sentence = found[name as keyof typeof THERE_AGAIN];
      const sentences = told.get(name) ?? new Set();
      if (sentence === undefined) continue;
      if (sentence === null) {
        if (told.delete(name)) log.info(there_again);
      } else if (!sentences.has(sentence)) {
        log.warn({ missing: name }, sentence);
        told.set(name, sentences.add(sentence));
      }
    }
  };
}

function wordsOf(error: unknown): string {
  return reasonOf(error instanceof Failure ? (error.details.cause ?? error) : error);
}
