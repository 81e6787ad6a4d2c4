import { ReaderFailure } from '../../platform/readers/failure.ts';
import { readerOf } from '../../platform/readers/reader.ts';
import { type InspectedPdf, type PdfRefusal, pdfRefusals } from './types.ts';

const readPdf = readerOf<null, InspectedPdf>({
  module: new URL('reading/inspect.ts', import.meta.url),
  time_limit: 10_000,
  most_memory: 512,
  most_answer: 1024 * 1024,
});

/**
 * What a foreign PDF is, or the word why it is not taken. It is opened in a process of its own: one that takes more than its
 * time or memory is `too_complex`, one on which the library fails `unreadable_pdf`. Errors: `ReaderFailure` with the reason
 * `aborted`, by `signal` alone.
 */
export async function inspectPdf(
  content: Buffer,
  signal?: AbortSignal,
): Promise<InspectedPdf | { refused: PdfRefusal }> {
  try {
    return await readPdf(null, content, signal);
  } catch (error) {
    if (!(error instanceof ReaderFailure) || error.reason === 'aborted') throw error;
    return { refused: refusalOf(error) };
  }
}

function refusalOf({ reason, word }: ReaderFailure): PdfRefusal {
  if (reason === 'refused') return pdfRefusals.find((each) => each === word)!;
  return reason === 'crashed' ? 'unreadable_pdf' : 'too_complex';
}
