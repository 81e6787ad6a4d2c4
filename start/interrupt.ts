/** npm passes the terminal's Ctrl-C on to a process that has it already: what follows so soon is the same one. */
const ECHO = 300;

/**
 * Listens for Ctrl-C, SIGTERM, a closed terminal and, under npm, the death of npm. The first aborts the signal that
 * is answered, another one calls `again`.
 */
export function listenForInterrupts(again: () => void): AbortSignal {
  const controller = new AbortController();
  let first = 0;
  const onSignal = () => {
    if (!controller.signal.aborted) {
      first = performance.now();
      controller.abort();
    } else if (performance.now() - first > ECHO) {
      again();
    }
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal);
  if (process.env.npm_lifecycle_event) whenOrphaned(() => controller.abort());
  return controller.signal;
}

/** A killed npm passes no signal on: the process that it ran would keep running, on its port. */
function whenOrphaned(tell: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    tell();
  }, 500);
  timer.unref();
}

/** Rejects when the signal is aborted before `step` settles. */
export function unlessInterrupted<T>(signal: AbortSignal, step: Promise<T>): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([step, promise]).finally(() => signal.removeEventListener('abort', onAbort));
}

/** Settles when the signal is aborted. */
export function interruption(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
