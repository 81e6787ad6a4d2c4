import { ReaderFailure } from '../../../platform/readers/failure.ts';
import { readerOf } from '../../../platform/readers/reader.ts';
import { IGNORED, type InboundEvent } from '../event.ts';

/** Bytes that a mail may have which comes in. */
export const MOST_MAIL_BYTES = 10 * 1024 * 1024;

const readInProcess = readerOf<null, InboundEvent>({
  module: new URL('read.ts', import.meta.url),
  time_limit: 10_000,
  most_memory: 256,
  most_answer: 64 * 1024,
  files: 1_000,
});

/**
 * Reads a mail of somebody else in a process of its own. One that cannot be read, or takes more than it may, is nothing that
 * counts; what ended the reading from outside is thrown.
 */
export async function readMail(content: Uint8Array, signal?: AbortSignal): Promise<InboundEvent> {
  try {
    return await readInProcess(null, content, signal);
  } catch (error) {
    if (error instanceof ReaderFailure && error.reason !== 'aborted') return IGNORED;
    throw error;
  }
}
