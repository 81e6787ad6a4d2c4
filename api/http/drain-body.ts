import type { IncomingMessage, ServerResponse } from 'node:http';

/** Bytes of a body that are read and dropped after its answer. */
const MOST_DROPPED = 16 * 1024 * 1024;

/**
 * Lets a sender read an answer that is given before its body has arrived. A connection that is closed while bytes are
 * unread is reset, and the reset takes the answer from the sender. So the rest of the body is read and dropped, up to
 * 16 MiB. Where the connection ends with the answer, only the service's half of it is closed at first; the whole is closed
 * when the body has ended, or after that many milliseconds.
 */
export function lingerAfter(request: IncomingMessage, response: ServerResponse, milliseconds: number): void {
  const { socket } = request;
  const destroySoon = () => Object.getPrototypeOf(socket).destroySoon.call(socket);
  // Node calls this to end a connection after its last answer.
  socket.destroySoon = () => {
    if (request.complete || socket.destroyed) {
      destroySoon();
      return;
    }
    const timer = setTimeout(() => socket.destroy(), milliseconds).unref();
    socket.once('close', () => clearTimeout(timer));
    request.once('end', destroySoon);
    socket.end();
  };
  // First: Node's own listener would drop the body without an end.
  response.prependOnceListener('finish', () => {
    if (request.complete) return;
    let dropped = 0;
    request.on('data', (chunk: Buffer) => {
      dropped += chunk.length;
      if (dropped > MOST_DROPPED) socket.destroy();
    });
    request.resume();
  });
}
