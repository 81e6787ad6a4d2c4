import type { IncomingMessage } from 'node:http';

const clocks = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/**
 * Cuts the connection when a body has not arrived whole after so many milliseconds. Node's own limit for a request
 * counts the header in and has one length for all: this one is for the body.
 */
export function limitBody(request: IncomingMessage, milliseconds: number): void {
  const { headers } = request;
  if (headers['transfer-encoding'] === undefined && headers['content-length'] === undefined) return;
  const timer = setTimeout(() => {
    // A body that nobody reads may have arrived all the same.
    if (!request.complete) request.socket.destroy();
  }, milliseconds).unref();
  clocks.set(request, timer);
  const arrived = () => {
    clearTimeout(timer);
    clocks.delete(request);
  };
  request.once('end', arrived);
  request.once('close', arrived);
}

/** Something of a large body has arrived: its time begins anew, for only silence is against it. */
export function restartBodyClock(request: IncomingMessage): void {
  clocks.get(request)?.refresh();
}
