import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { Failure } from '../../../shared/kernel/failure.ts';
import type { ArrivingFile } from '../../../shared/platform/intake/take-file.ts';
import { restartBodyClock } from '../body-timeout.ts';
import type { ReceivedForm } from './form.ts';

type Options<Taken> = {
  /** What the file is called, which has no name of its own. */
  file_name: string;
  /** Is handed the file, and reads all of it. */
  take: (file: ArrivingFile) => Promise<Taken>;
};

/**
 * Reads a body that is the file itself, while it arrives, as a form with that file alone.
 * Errors: `malformed_form` for one that did not arrive whole, what `take` throws.
 */
export async function readRawBody<Taken>(
  request: IncomingMessage,
  { file_name, take }: Options<Taken>,
): Promise<ReceivedForm<Taken>> {
  const body = new PassThrough();
  body.on('error', () => undefined);
  feed(request, body);
  const media_type = request.headers['content-type'] ?? 'application/octet-stream';
  try {
    return { texts: [], taken: [await take({ body, file_name, media_type })], faults: [] };
  } finally {
    body.destroy();
  }
}

/**
 * Hands the bytes over as they come. What comes after the file was refused is let go by, until the body's time is over:
 * who still sends would not read the answer otherwise.
 */
async function feed(request: IncomingMessage, body: PassThrough): Promise<void> {
  const closed = new AbortController();
  body.once('close', () => closed.abort());
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      if (body.destroyed) continue;
      restartBodyClock(request);
      if (!body.write(chunk)) await once(body, 'drain', { signal: closed.signal }).catch(() => undefined);
    }
    body.end();
  } catch (cause) {
    body.destroy(
      new Failure('malformed_form', {
        detail: { en: 'The body did not arrive whole', ja: '本文が最後まで届きませんでした' },
        cause,
      }),
    );
  }
}
