import type { ArrivingFile } from '../../../shared/platform/intake/take-file.ts';
import type { Request } from '../request.ts';
import { arrivingBytes } from './arriving.ts';
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
  request: Request,
  { file_name, take }: Options<Taken>,
): Promise<ReceivedForm<Taken>> {
  const media_type = request.headers['content-type'] ?? 'application/octet-stream';
  try {
    const taken = [await take({ body: arrivingBytes(request), file_name, media_type })];
    return { texts: [], taken, faults: [] };
  } finally {
    // What comes after the file was refused is let go by, until the body's time is over: who still sends would not read
    // the answer otherwise.
    request.req.resume();
  }
}
