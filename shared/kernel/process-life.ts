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
