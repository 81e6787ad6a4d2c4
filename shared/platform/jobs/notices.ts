import { type Listening, listen } from '../../db/listen.ts';

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
 * After a lost connection every waiter reads its job again: notices of that time are lost.
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
      const watch = jobWatch();
      const { note } = watch;
      const notes = watches.get(job_id) ?? new Set();
      watches.set(job_id, notes.add(note));
      return {
        changed: watch.changed,
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

/**
 * Remembers a notice until somebody asks for it. Whoever waits is kept in a set and leaves it: a promise that lasts from
 * one notice to the next would gather a reaction at every heartbeat.
 */
function jobWatch(): { note: () => void; changed: JobWatch['changed'] } {
  const waiting = new Set<(told: boolean) => void>();
  let isNoticed = false;
  return {
    note() {
      isNoticed = waiting.size === 0;
      for (const answer of waiting) answer(true);
    },
    async changed(milliseconds, signal) {
      if (signal?.aborted) return false;
      if (isNoticed) {
        isNoticed = false;
        return true;
      }
      const { promise, resolve } = Promise.withResolvers<boolean>();
      // Leaves the set at once: a notice that comes after the time is over is kept for the next call.
      const answer = (told: boolean) => {
        waiting.delete(answer);
        resolve(told);
      };
      const stop = () => answer(false);
      const timer = setTimeout(stop, milliseconds);
      signal?.addEventListener('abort', stop, { once: true });
      waiting.add(answer);
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
      }
    },
  };
}
