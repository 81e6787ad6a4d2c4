import pino, { type LevelWithSilent, type Logger } from 'pino';

export type OpenLog = {
  log: Logger;
  /** Waits until the last lines are written, for as long as they are read; what is logged after it is lost. */
  end: () => Promise<void>;
};

/** Milliseconds without anybody reading after which the lines that are left are given up. */
const PATIENCE = 3_000;

/**
 * The log of one process: JSON lines on standard output, written in the background, each with the name and the
 * number of the process.
 *
 * A process that exits without `end` may hang: the log writes what is left while the process exits, and where the reader
 * of its lines is gone it tries that for ever.
 */
export function openLog(name: string, level: LevelWithSilent): OpenLog {
  const destination = pino.destination({ sync: false });
  // Nobody reads any more, or everything is written: either way there is nothing to wait for.
  const closed = new Promise<void>((resolve) => destination.on('error', resolve).on('close', resolve));
  // A busy machine may take long to read much: only silence is against it.
  const unread = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, PATIENCE);
      destination.on('write', () => timer.refresh());
    });
  let ended = false;
  // What still runs while the process ends may log, and an ended destination throws at who writes to it.
  const stream = { write: (line: string) => void (ended || destination.write(line)) };
  return {
    log: pino({ level, base: { process: name, pid: process.pid } }, stream),
    end: async () => {
      ended = true;
      destination.end();
      await Promise.race([closed, unread()]);
      destination.destroy();
    },
  };
}
