import { batcherPerKey } from '../kernel/batch.ts';
import { type CommitPart, joinedParts } from '../kernel/commit-part.ts';
import { Failure } from '../kernel/failure.ts';
import type { Reader } from '../kernel/reader.ts';
import { sendStatements } from '../kernel/send-statements.ts';
import type { Work } from '../kernel/work.ts';
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

/**
 * As `inWork` on a connection of its own, but a work that shares its commit (`Work.shareCommit`) is written by one statement with
 * those that come while the one before is under way. It holds no connection meanwhile. Where the database refuses that statement,
 * nothing of it is stored, and each work runs again by itself: none is refused for another one's fault. Where it is not known what
 * became of it, all are told `unavailable`, as one alone would be.
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
  const written = await write(database, `${organization_id} ${part.key}`, {
    database,
    organization_id,
    part,
  });
  if (written) return result;
  return database.withConnection(
    organization_id,
    (connection) => inWork({ ...reader, connection }, run, options),
    signal,
  );
}

type Waiting = Pick<Sharing, 'database' | 'organization_id'> & { part: CommitPart };

/** Writes parts, one group of a key at a time. Answers whether they are stored; `unavailable` where that is not known. */
const write = batcherPerKey<Waiting, boolean>(
  async (waiting) => {
    const { database, organization_id } = waiting[0]!;
    const written = await writeTogether(database, organization_id, waiting);
    return waiting.map(() => written);
  },
  { start: 'idle', failure: 'all' },
);

async function writeTogether(
  database: Database,
  organization_id: string,
  waiting: readonly Waiting[],
): Promise<boolean> {
  const statement = joinedParts(waiting.map(({ part }) => part));
  if (!statement) return false;
  try {
    await database.withConnection(organization_id, async (connection) => {
      await sendStatements(connection, [statement], true);
      if (waiting.some(({ part }) => part.has_jobs)) connection.announce('outbox');
      connection.tellAnnounced();
    });
    return true;
  } catch (error) {
    if (error instanceof Failure) throw error;
    return false;
  }
}
