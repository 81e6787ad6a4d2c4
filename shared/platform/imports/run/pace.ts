import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../../db/database.ts';

/** What a chunk was: how long it took, how many rows it had, and how many of them made, changed or removed a record. */
export type PacedChunk = { milliseconds: number; rows: number; written: number };

/** How fast an import goes, so that requests keep their speed beside it. */
export type Pace = {
  /** How many rows the next chunk may have. */
  size(): number;
  /** Called after each chunk; waits where others need the database. */
  rest(chunk: PacedChunk, signal: AbortSignal): Promise<void>;
};

const FIRST_CHUNK = 500;
/** Milliseconds that a chunk should take at most: progress moves, and a pause takes effect, about as soon. */
const LONGEST_CHUNK = 400;
/** The same while requests are served: how long one of them may wait for the processor. */
const SHORT_CHUNK = 40;
/** Progress moves once a second also while an import rests. */
const LONGEST_REST = 500;
/** The database is busy with others when a row takes so many times as long as in the quickest chunk of its kind so far. */
const SLOWER = 4;
/**
 * Chunks of one kind have about the same share of rows that write: none, up to a third, two thirds, or more. A row that changes
 * nothing takes a fifth of the time of a new one, so new rows behind known ones would be taken for a busy database.
 */
const WRITING_KINDS = 3;

/**
 * Chunks grow while they are quick, fourfold at most. When requests were served a moment ago, or the database has become slow, chunks
 * become short and the import rests as long as it worked.
 */
export function politePace(database: Database, most: number): Pace {
  const least = Math.max(1, Math.round(most / 20));
  let size = Math.min(FIRST_CHUNK, most);
  const quickest = new Map<number, number>();
  return {
    size: () => size,
    async rest({ milliseconds, rows, written }, signal) {
      const each = milliseconds / rows;
      const kind = Math.ceil((written / rows) * WRITING_KINDS);
      const best = quickest.get(kind) ?? Number.POSITIVE_INFINITY;
      if (rows >= least) quickest.set(kind, Math.min(best, each));
      const isBusy = each > best * SLOWER || (await servesRequests(database));
      const fitting = Math.round((isBusy ? SHORT_CHUNK : LONGEST_CHUNK) / each);
      size = Math.min(most, Math.max(least, fitting), Math.max(least, size * 4));
      if (!isBusy) return;
      await pause(Math.min(LONGEST_REST, milliseconds), undefined, { signal }).catch(() => undefined);
    },
  };
}

/** Goes as fast as it can, in chunks of one size: for measurements and tests. */
export function steadyPace(size: number): Pace {
  return { size: () => size, rest: async () => {} };
}

/** Whether a process of the API has asked the database for something within the last moment. */
async function servesRequests(database: Database): Promise<boolean> {
  const rows = await database.withConnection('*', (connection) =>
    connection.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1
          AND query_start > clock_timestamp() - interval '0.3 s' LIMIT 1`,
      [API],
    ),
  );
  return rows.length > 0;
}

const API = 'business-operations-api';
