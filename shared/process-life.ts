import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

/**
 * Tells whoever started this process that it serves, and calls `end` with the reason when it is asked to end or when
 * whoever started it is gone, be that before this call.
 */
export function serveUntilAsked(end: (why: string) => void): void {
  const alone = () => end('the parent is gone');
  process.on('SIGTERM', () => end('SIGTERM'));
  process.on('SIGINT', () => end('SIGINT'));
  process.on('disconnect', alone);
  if (process.connected === false) alone();
  // Where the other end is closed and this one has not heard of it yet, `disconnect` is about to come.
  else process.send?.({ ready: true }, undefined, undefined, () => undefined);
}

/**
 * Ends the process once its last lines are written, or after a second. The log would write what is left while the process
 * exits, and where the reader of its lines is gone it would try that for ever: so nothing is done on exit any more.
 */
export async function leave(log: Logger): Promise<never> {
  const { promise: written, resolve } = Promise.withResolvers<void>();
  log.flush(() => resolve());
  await Promise.race([written, pause(1_000)]);
  process.removeAllListeners('exit');
  process.exit(0);
}
