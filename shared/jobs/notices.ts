import { type Listening, listen } from '../db/listen.ts';

/** Tells who waits for jobs that there is something new: one connection for all of a process. */
export type JobNotices = {
  /** Begins to note what is said of a job. Look at the job after this, then wait. */
  watch(job_id: string): JobWatch;
  /** How many jobs are watched. */
  watched(): number;
  end(): Promise<void>;
};

export type JobWatch = {
  /** Resolves with true at the next notice, or at once if there was one since the last call; with false in the end. */
  changed(milliseconds: number, signal?: AbortSignal): Promise<boolean>;
  end(): void;
};

/**
 * Listens on the channel `jobs`, from the first watch on. `url` must lead to the server itself, not to a pooler.
 * After a lost connection everybody is told to look: what was said meanwhile is not known.
 */
export function jobNotices({ url, troubled }: { url: string; troubled: (error: Error) => void }): JobNotices {
  const watches = new Map<string, Set<() => void>>();
  let listening: Listening | undefined;

  function heard(job_id: string): void {
    const told = job_id === '' ? [...watches.values()] : [watches.get(job_id) ?? []];
    for (const notes of told) for (const note of notes) note();
  }

  return {
    watch(job_id) {
      listening ??= listen({ url, channel: 'jobs', heard, troubled });
      let noticed = Promise.withResolvers<true>();
      const note = () => noticed.resolve(true);
      const notes = watches.get(job_id) ?? new Set();
      watches.set(job_id, notes.add(note));
      return {
        async changed(milliseconds, signal) {
          const told = await within(milliseconds, noticed.promise, signal);
          if (told) noticed = Promise.withResolvers();
          return told;
        },
        end() {
          notes.delete(note);
          if (notes.size === 0 && watches.get(job_id) === notes) watches.delete(job_id);
        },
      };
    },
    watched: () => watches.size,
    end: async () => listening?.end(),
  };
}

/** What `promise` says, or false when the time is over or the signal is given. */
async function within(milliseconds: number, promise: Promise<true>, signal?: AbortSignal): Promise<boolean> {
  if (signal?.aborted) return false;
  const { promise: over, resolve } = Promise.withResolvers<false>();
  const stop = () => resolve(false);
  const timer = setTimeout(stop, milliseconds);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
