import { Failure } from '../../kernel/failure.ts';
import { ReaderFailure } from '../../platform/readers/failure.ts';
import { readerOf } from '../../platform/readers/reader.ts';
import type { UploadedFile } from '../../platform/storage/stored-file.ts';

/** A file that came for a document: it is in the store, its transaction keeps it, and it was looked into. */
export type ArrivedFile = { file: UploadedFile; is_unreadable: boolean };

const readPdf = readerOf<null, number>({
  module: new URL('reading/pdf.ts', import.meta.url),
  time_limit: 10_000,
  most_memory: 512,
  most_answer: 1024,
  files: 20,
});

/** Milliseconds that the files of a request are looked at, waiting for their turn included: its answer has 30 seconds. */
const PATIENCE = 20_000;

/** By the end of its name, the type of a text: it has no signature of its own. */
const namedTexts: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  eml: 'message/rfc822',
  xml: 'application/xml',
};

/**
 * Looks at files that are stored and not kept yet: whether texts have a name that says what they are, and whether PDFs can be
 * opened, in a process of its own. `pieces` reads one from the store. Errors: `unsupported_media_type`.
 */
export async function arrivedFiles(
  files: readonly UploadedFile[],
  pieces: (file: UploadedFile) => AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<ArrivedFile[]> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]);
  const named = files.map((file) => ({ ...file, content_type: contentTypeOf(file) }));
  const arrived: ArrivedFile[] = [];
  for (const file of named) {
    const is_pdf = file.content_type === 'application/pdf';
    arrived.push({ file, is_unreadable: is_pdf && (await isUnreadable(file, pieces(file), until)) });
  }
  return arrived;
}

/** Errors: `unsupported_media_type`. */
function contentTypeOf({ content_type, file_name }: UploadedFile): string {
  if (content_type !== 'text/plain' && content_type !== 'application/xml') return content_type;
  const [, ending = ''] = /\.([a-z]+)$/i.exec(file_name) ?? [];
  const named = namedTexts[ending.toLowerCase()];
  if (named !== undefined) return named;
  throw new Failure('unsupported_media_type', {
    detail: {
      en: 'A text is taken as .csv, .eml or .xml',
      ja: 'テキストファイルは .csv・.eml・.xml だけを登録できます',
    },
  });
}

/**
 * One that takes too much time or memory, or on which the library fails, is of no more use to a reader than a damaged one. One
 * whose turn did not come in time is not called so: nobody has looked at it.
 */
async function isUnreadable(
  { size }: UploadedFile,
  pieces: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await readPdf(null, { size, pieces }, signal);
    return false;
  } catch (error) {
    if (!(error instanceof ReaderFailure)) throw error;
    return error.reason !== 'aborted';
  }
}
