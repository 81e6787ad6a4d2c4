/** Milliseconds from one notice of a process to its next on the same channel. */
const PAUSE = 20;

export type Notices = {
  /** Tells those who listen on the channel, at once or soon. */
  tell(channel: string): void;
};

/**
 * Tells of what was committed, by statements of their own: PostgreSQL lets those who notify commit one after the other, so a
 * NOTIFY in each transaction makes every commit wait for the others' write to the disk. The first notice leaves at once, and what
 * comes within 20 ms shares the next. One that is lost with its process or its connection is made up for by whoever listens,
 * who looks by himself every second.
 */
export function noticesBy(send: (channel: string) => Promise<unknown>): Notices {
  const pausing = new Map<string, { again: boolean }>();

  function tell(channel: string): void {
    const pause = pausing.get(channel);
    if (pause) {
      pause.again = true;
      return;
    }
    const own = { again: false };
    pausing.set(channel, own);
    send(channel).catch(() => undefined);
    setTimeout(() => {
      pausing.delete(channel);
      if (own.again) tell(channel);
    }, PAUSE).unref();
  }

  return { tell };
}
