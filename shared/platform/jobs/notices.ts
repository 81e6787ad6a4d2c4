import { randomInt } from 'node:crypto';
import { type Listening, listen } from '../../db/listen.ts';
import { livenessLock, livingNumbers } from '../../db/liveness.ts';
import { Failure } from '../../kernel/failure.ts';

/** Tells who waits for jobs that there is something new: one connection for all of a process. */
export type JobNotices = {
  /** Begins to note what is said of a job, or of another subject by its ID. Look at it after this, then wait. */
  watch(id: string): JobWatch;
  /** How many subjects are watched. */
  watched(): number;
  /** By what others see that this process lives. Errors: `unavailable` where it cannot be had within that time. */
  presence(milliseconds: number): Promise<Presence>;
  end(): Promise<void>;
};

export type JobWatch = {
  /** Resolves with true at the next notice, or at once if there was one since the last call; with false in the end. */
  changed(milliseconds: number, signal?: AbortSignal): Promise<boolean>;
  end(): void;
};

/**
 * A number that the server counts among the living ones (`PRESENT`) while the connection lasts; after a lost connection
 * there is another one, and `lost` of the old one is aborted.
 */
export type Presence = { number: number; lost: AbortSignal };

/** The kind of the locks that say which numbers are present. */
const PRESENCE = 0x70726573;

/** SQL for the array of the numbers that are present. */
export const PRESENT = livingNumbers(PRESENCE);

/**
 * Listens on the channel `jobs`, from the first watch on. `url` must lead to the server itself, not to a pooler.
 * After a lost connection every waiter reads its job again: notices of that time are lost.
 */
export function jobNotices({ url, troubled }: { url: string; troubled: (error: Error) => void }): JobNotices {
  const watches = new Map<string, Set<() => void>>();
  const presences = presencesOf();
  let listening: Listening | undefined;

  function heard(id: string): void {
    if (id === '') presences.connected();
    const told = id === '' ? [...watches.values()] : [watches.get(id) ?? []];
    for (const notes of told) for (const note of notes) note();
  }

  function lost(error: Error): void {
    presences.lost();
    troubled(error);
  }

  function begin(): void {
    listening ??= listen({ url, channel: 'jobs', first: presences.next, heard, troubled: lost });
  }

  return {
    watch(id) {
      begin();
      const watch = jobWatch();
      const { note } = watch;
      const notes = watches.get(id) ?? new Set();
      watches.set(id, notes.add(note));
      return {
        changed: watch.changed,
        end() {
          notes.delete(note);
          if (notes.size === 0 && watches.get(id) === notes) watches.delete(id);
        },
      };
    },
    watched: () => watches.size,
    presence(milliseconds) {
      begin();
      return presences.current(milliseconds);
    },
    end: async () => {
      presences.lost();
      await listening?.end();
    },
  };
}

/** One presence after the other, as the connection comes and goes. */
function presencesOf() {
  let number = 0;
  let isPresent = false;
  let ending = new AbortController();
  let present = Promise.withResolvers<Presence>();
  return {
    /** The statement with which the next connection begins. */
    next() {
      number = randomInt(1, 2 ** 31);
      return livenessLock(PRESENCE, number);
    },
    connected() {
      isPresent = true;
      present.resolve({ number, lost: ending.signal });
    },
    lost() {
      if (!isPresent) return;
      isPresent = false;
      ending.abort();
      ending = new AbortController();
      present = Promise.withResolvers<Presence>();
    },
    async current(milliseconds: number): Promise<Presence> {
      const { promise: late, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => reject(unavailable()), milliseconds);
      try {
        return await Promise.race([present.promise, late]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function unavailable(): Failure {
  return new Failure('unavailable', { headers: { 'Retry-After': '1' } });
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
