import { createHash, type Hash } from 'node:crypto';

/** The SHA-256 of what has arrived so far of files in pieces, in the process that took all of it. */
export type RunningHashes = {
  /**
   * Takes out the hash of a file's first `at` bytes; null where this process has not seen all of them. Of none it is a
   * new one.
   */
  take(id: string, at: number): Hash | null;
  /** Keeps the hash for the next piece. */
  keep(id: string, at: number, hash: Hash): void;
};

/** Files whose hashes one process keeps, each in less than 1 KiB; beyond, the oldest is read by a worker. */
const MOST = 5_000;

export function runningHashes(most = MOST): RunningHashes {
  const kept = new Map<string, { at: number; hash: Hash }>();
  return {
    take(id, at) {
      const found = kept.get(id);
      kept.delete(id);
      if (at === 0) return createHash('sha256');
      return found?.at === at ? found.hash : null;
    },
    keep(id, at, hash) {
      if (kept.size >= most) kept.delete(kept.keys().next().value!);
      kept.set(id, { at, hash });
    },
  };
}
