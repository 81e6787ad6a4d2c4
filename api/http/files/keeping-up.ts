import { type Readable, Transform, type TransformCallback } from 'node:stream';

/** Lets a body through whose bytes are granted while it comes. What `keepUp` throws is the error of the stream. */
export function keepingUp(body: Readable, keepUp: (bytes: number) => Promise<void>): Readable {
  let bytes = 0;
  const through = new Transform({
    transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback) {
      bytes += chunk.length;
      keepUp(bytes).then(() => done(null, chunk), done);
    },
  });
  return body.on('error', (error) => through.destroy(error)).pipe(through);
}
