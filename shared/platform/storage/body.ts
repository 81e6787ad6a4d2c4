import { Readable } from 'node:stream';

/** Bytes on their way into the store. A chunk is its reader's until the next one is asked for; then its memory may be gone. */
export type Body = AsyncIterable<Buffer>;

/** A stream may break before anybody reads it: who reads it is told then. */
export function awaitReader(body: Body): void {
  if (body instanceof Readable) body.on('error', () => undefined);
}

/** Closes what is behind a stream that nobody reads on, or ever began to. Other bodies end with their reader. */
export function abandonBody(body: Body, reason?: Error): void {
  // Its own end may be an error as well, and nobody is left to catch it.
  awaitReader(body);
  if (body instanceof Readable) body.destroy(reason);
}

/**
 * Gives the memory of a chunk back that a socket made, and that nobody needs any more: the collector would have to look
 * through the whole heap for the chunks of a large body, again and again (docs/performance.md). A small chunk may share its
 * memory with other things, and stays.
 */
export function giveMemoryBack({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}
