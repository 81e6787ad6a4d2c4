import type { CommitPart } from '../kernel/commit-part.ts';
import type { Reader } from '../kernel/reader.ts';
import { type Statement, Work } from '../kernel/work.ts';
import { namingExisting } from './existing-record.ts';
import { transaction } from './transaction.ts';

export type InWorkOptions<T> = {
  /** The revisions that the caller last saw (If-Match); null where any will do. */
  revisions?: readonly string[] | null;
  /** For writes that are not requests, such as those of jobs and sweeps: they may end without a fact. */
  may_change_nothing?: boolean;
  /** Statements that are sent last, made from the result. */
  last?: (result: T) => readonly Statement[];
};

/**
 * Opens a work in a transaction of its own, runs `run` in it and commits. The rows that `run` left and COMMIT make one
 * trip. Everything is rolled back when `run` throws, when the work refuses to finish (no fact was recorded, a value
 * that JSON cannot hold) and when a statement fails; `work.abandon()` rolls back too, and the result is answered all
 * the same. A transaction that lost against another one is run again, so `run` may be called several times. A key that
 * another record has is refused with the ID of that one.
 */
export async function inWork<T>(
  reader: Reader,
  run: (work: Work) => Promise<T>,
  options: InWorkOptions<T> = {},
): Promise<T> {
  const { result } = await inWorkUpToPart(reader, run, options, () => null);
  return result;
}

/**
 * The same, but that a work of which `partOf` takes what it has to send (`Work.takePart`) is not committed: whoever called
 * writes it with other such parts.
 */
export async function inWorkUpToPart<T>(
  reader: Reader,
  run: (work: Work) => Promise<T>,
  { revisions = null, may_change_nothing = false, last }: InWorkOptions<T>,
  partOf: (work: Work) => CommitPart | null = (work) => work.takePart(),
): Promise<{ result: T; part: CommitPart | null }> {
  let work: Work | undefined;
  try {
    return await transaction(reader.connection, async (commit) => {
      work = new Work(reader, { revisions, may_change_nothing });
      const result = await run(work);
      if (work.end.is_abandoned) return { result, part: null };
      const part = partOf(work);
      if (part) return { result, part };
      await commit(work.finish(...(last?.(result) ?? [])));
      work.end.stored();
      return { result, part };
    });
  } catch (error) {
    throw await namingExisting(reader, error, (table) => work?.writtenTo(table) ?? []);
  }
}
