import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { Failure } from '../../shared/kernel/failure.ts';
import { isForm, refuseLargeBody, tellToContinue } from './body.ts';
import { readForm, withoutNul } from './form.ts';
import { formBytes } from './form-bytes.ts';
import type { Request } from './request.ts';

/** The fields of a form, and the files that it holds by the names of their fields. */
export type FormWithFiles = { fields: URLSearchParams; files: ReadonlyMap<string, Buffer> };

/** Fields and files of one form of a page: those with 500 fields of a document have some for each. */
const MOST_PARTS = 3_000;

/**
 * The form of a page that may hold files, of at most `limit` bytes with them; they are in memory whole. A file that was not chosen is
 * not there. `grow` is told how many bytes have come, and what it throws refuses the form. Errors: `unsupported_media_type`, `body_too_large`, `malformed_form`, `validation_failed` for NUL characters.
 */
export async function readFormWithFiles(
  request: Request,
  limit: number,
  grow?: (bytes: number) => void,
): Promise<FormWithFiles> {
  if (!isForm(request.req)) return { fields: await readForm(request, limit), files: new Map() };
  refuseLargeBody(request, limit);
  tellToContinue(request);
  const fields = new URLSearchParams();
  const files = new Map<string, Buffer>();
  try {
    const parser = new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: { fieldSize: limit, parts: MOST_PARTS, headerPairs: 20 },
      isPartAFile: (_name, _type, file_name) => file_name !== undefined,
    });
    parser.on('field', (name = '', text) => fields.append(name, text));
    parser.on('file', (name = '', body) => {
      const chunks: Buffer[] = [];
      body.on('data', (chunk: Buffer) => chunks.push(chunk));
      body.on('end', () => chunks.length > 0 && files.set(name, Buffer.concat(chunks)));
    });
    await pipeline(formBytes(request.req, request.req, { limit, grow }), parser);
  } catch (cause) {
    throw cause instanceof Failure ? cause : new Failure('malformed_form', { cause });
  }
  return { fields: withoutNul(fields), files };
}
