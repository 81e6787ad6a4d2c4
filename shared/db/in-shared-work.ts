import pg from 'pg';
import { batcherPerKey } from '../kernel/batch.ts';
import { type CommitPart, joinedParts } from '../kernel/commit-part.ts';
import { Failure } from '../kernel/failure.ts';
import type { Reader } from '../kernel/reader.ts';
import { sendStatements } from '../kernel/send-statements.ts';
import type { Statement, Work } from '../kernel/work.ts';
import type { Database } from './database.ts';
import { type InWorkOptions, inWork, inWorkUpToPart } from './in-work.ts';

/** Letters of what is sent up to which a work is written with others: what waits for one statement stays small. */
export const SHARED_LETTERS = 32 * 1024;

/** Where and for whom a shared work is done. */
export type Sharing = {
  database: Database;
  organization_id: string;
  reader: Omit<Reader, 'connection'>;
  /** Aborted when the time for the work is over. */
  signal: AbortSignal;
};

/** Works that one statement writes at the most: each may bring 32 K letters, in several rows. */
export const MOST_TOGETHER = 100;

/** Works of a process that may wait to be written. None waits longer than its request, but in that time more come than fit. */
export const MOST_WAITING = 2_000;

/**
 * As `inWork` on a connection of its own, but a work that shares its commit (`Work.shareCommit`) is written by one statement with
 * those that come while the one before is under way. It holds no connection meanwhile. Where the database refuses that statement,
 * nothing of it is stored, and each work runs again by itself: none is refused for another one's fault. Where it is not known what
 * became of it, all are told so, as one alone would be. What waits when its time is over is not stored. Errors: `unavailable`
 * where too many wait.
 */
export async function inSharedWork<T>(
  { database, organization_id, reader, signal }: Sharing,
  run: (work: Work) => Promise<T>,
  options: Pick<InWorkOptions<T>, 'revisions' | 'may_change_nothing'> = {},
): Promise<T> {
  const { result, part } = await database.withConnection(
    organization_id,
    (connection) => inWorkUpToPart({ ...reader, connection }, run, options),
    signal,
  );
  if (!part) return result;
  if (await write({ database, organization_id, signal, part })) {
    part.stored();
    return result;
  }
  signal.throwIfAborted();
  return database.withConnection(
    organization_id,
    (connection) => inWork({ ...reader, connection }, run, options),
    signal,
  );
}

type Waiting = Pick<Sharing, 'database' | 'organization_id' | 'signal'> & { part: CommitPart };

let waiting_count = 0;

/** Writes a part with others of its key. Answers whether it is stored; throws where that is not known. */
async function write(waiting: Waiting): Promise<boolean> {
  if (waiting_count >= MOST_WAITING) throw new Failure('unavailable', { headers: { 'Retry-After': '1' } });
  waiting_count += 1;
  try {
    const { database, organization_id, part } = waiting;
    return await writeInTurn(database, `${organization_id} ${part.key}`, waiting);
  } finally {
    waiting_count -= 1;
  }
}

/** One group of a key at a time. */
const writeInTurn = batcherPerKey<Waiting, boolean>(
  async (waiting) => {
    // Who waited too long has been told so: what is stored behind that would be sent again, and be there twice.
    const inTime = new Set(waiting.filter(({ signal }) => !signal.aborted));
    const written = await writeTogether([...inTime]);
    return waiting.map((one) => written && inTime.has(one));
  },
  { start: 'idle', failure: 'all', most: MOST_TOGETHER },
);

async function writeTogether(waiting: readonly Waiting[]): Promise<boolean> {
  const [first] = waiting;
  const statement = first && statementOf(waiting.map(({ part }) => part));
  if (!statement) return false;
  try {
    await first.database.withConnection(first.organization_id, async (connection) => {
      await sendStatements(connection, [statement], true);
      if (waiting.some(({ part }) => part.has_jobs)) connection.announce('outbox');
      connection.tellAnnounced();
    });
    return true;
  } catch (error) {
    // Only of what the server itself refuses is it known that nothing is stored.
    if (error instanceof pg.DatabaseError) return false;
    throw error;
  }
}

/** Null where it takes more than one, and where JSON cannot hold what one of them has. */
function statementOf(parts: readonly CommitPart[]): Statement | null {
  try {
    return joinedParts(parts);
  } catch {
    return null;
  }
}
