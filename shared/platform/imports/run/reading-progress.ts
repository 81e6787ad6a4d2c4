import { progressJob } from '../../jobs/operations.ts';
import type { Named } from './checkpoint.ts';
import type { RunDelivery } from './delivery.ts';

/** Somebody who watches sees something move at least once a second. */
const EVERY = 500;

/** The job ended while the file was read. */
class ReadInVain extends Error {
  override name = 'ReadInVain';
}

/** Called with how many bytes of the file are read; throws what ends the reading. */
export type Seen = (bytes: number) => void;

/**
 * Reads a file from which no row is merged yet, and says in the job how many bytes of it are read. Null when the job
 * has ended meanwhile: there is nothing to read it for.
 */
export async function withReadingProgress<T>(
  { part, signal, draining }: Pick<RunDelivery, 'part' | 'signal' | 'draining'>,
  { job_id }: Named,
  file_bytes: number,
  read: (seen: Seen) => Promise<T>,
): Promise<T | null> {
  let done = 0;
  let isOpen = true;
  let telling: Promise<void> = Promise.resolve();
  let told_at = performance.now();
  const tell = () =>
    part(async (work) => {
      isOpen = await progressJob(work, job_id, { done, total: file_bytes, unit: 'bytes' });
    });
  const seen = (bytes: number) => {
    signal.throwIfAborted();
    draining.throwIfAborted();
    if (!isOpen) throw new ReadInVain();
    done = Math.min(bytes, file_bytes);
    if (performance.now() - told_at < EVERY) return;
    told_at = performance.now();
    // A failed progress update does not end the reading: the next chunk fails if the database is gone.
    telling = telling.then(tell).catch(() => undefined);
  };
  try {
    return await read(seen);
  } catch (error) {
    if (error instanceof ReadInVain) return null;
    throw error;
  } finally {
    await telling;
  }
}
