import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { Failure } from '../../shared/kernel/failure.ts';
import type { ArrivingFile } from '../../shared/platform/intake/take-file.ts';
import { isForm, refuseLargeBody, tellToContinue } from './body.ts';
import { readForm, withoutNul } from './form.ts';
import { formBytes, nameOfFile } from './form-bytes.ts';
import type { Request } from './request.ts';

/** Fields and files of one form: 200 fields with parts of their own. */
const MOST_PARTS = 6_000;

type Taking = {
  /** Bytes of the form without its files. */
  limit: number;
  /** Bytes of its files together. */
  files_limit: number;
  /**
   * Reads all of a file and answers the text that stands for it in the form, or null where it is not taken. It is told the name of its
   * field and what stands before it.
   */
  take(name: string, file: ArrivingFile, before: URLSearchParams): Promise<string | null>;
};

/**
 * The form of a page whose files are taken as they arrive: no file is in memory whole. Rejects only after every `take` has settled.
 * A file that was not chosen is not there. Errors: `unsupported_media_type`, `body_too_large`, `malformed_form`, `validation_failed` for NUL
 * characters, what `take` throws.
 */
export async function readFormTakingFiles(
  request: Request,
  { limit, files_limit, take }: Taking,
): Promise<URLSearchParams> {
  if (!isForm(request.req)) return readForm(request, limit);
  refuseLargeBody(request, limit + files_limit);
  tellToContinue(request);
  const fields = new URLSearchParams();
  const taking: Promise<void>[] = [];
  const given_up = new AbortController();
  let failure: unknown;
  const giveUp = (error: unknown) => {
    failure ??= error;
    given_up.abort();
  };
  try {
    const parser = new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: { fieldSize: limit, parts: MOST_PARTS, headerPairs: 20 },
      isPartAFile: (_name, _type, file_name) => file_name !== undefined,
    });
    parser.on('partsLimit', () => giveUp(new Failure('malformed_form')));
    parser.on('field', (name = '', text) => fields.append(name, text));
    parser.on('file', (name = '', body, given, _encoding, media_type) => {
      body.on('error', () => undefined);
      given_up.signal.addEventListener('abort', () => body.destroy());
      if (given === '' || given_up.signal.aborted) {
        body.resume();
        return;
      }
      // What reads it may end it: the form's own stream goes on then.
      const file = { body: body.pipe(new PassThrough()), file_name: nameOfFile(given), media_type };
      taking.push(
        take(name, file, fields).then(
          (text) => {
            body.resume();
            if (text !== null) fields.append(name, text);
          },
          (error) => giveUp(error),
        ),
      );
    });
    const chunks: AsyncIterable<Buffer> = request.req.iterator({ destroyOnReturn: false });
    const bytes = formBytes(request.req, chunks, { limit: limit + files_limit });
    await pipeline(bytes, parser, { signal: given_up.signal });
  } catch (cause) {
    giveUp(cause instanceof Failure ? cause : new Failure('malformed_form', { cause }));
  }
  await Promise.all(taking);
  if (failure !== undefined) throw failure;
  return withoutNul(fields);
}
