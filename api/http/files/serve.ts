import { Failure } from '../../../shared/kernel/failure.ts';
import type { ApiContext } from '../../context.ts';
import { isFresh } from '../etag.ts';
import type { Request } from '../request.ts';
import { withinTime } from '../time-limits.ts';
import type { ServedFile } from './declarations.ts';
import { attachment } from './file-name.ts';
import { partAsked, type Validators } from './range.ts';

/**
 * Sends a stored file, or the part of it that is asked for; 304 for what the caller has already.
 * Errors: `range_not_satisfiable`, `unavailable`.
 */
export async function serveFile(context: ApiContext, request: Request, file: ServedFile): Promise<void> {
  const { size, storage_key } = file;
  const validators = validatorsOf(file);
  const headers = {
    ETag: validators.etag,
    'Last-Modified': validators.last_modified,
    'Accept-Ranges': 'bytes',
    'Content-Disposition': attachment(file.file_name),
  };
  if (isCurrent(request, validators)) {
    request.set(headers);
    request.status = 304;
    return;
  }
  // HEAD has no ranges: RFC 9110 14.2 defines them for GET alone.
  const part = request.method === 'GET' ? partAsked(request.headers, size, validators) : 'whole';
  if (part === 'unsatisfiable') {
    throw new Failure('range_not_satisfiable', {
      detail: { en: `The file has ${size} bytes`, ja: `ファイルの大きさは${size}バイトです` },
      headers: { 'Content-Range': `bytes */${size}` },
    });
  }
  const range = part === 'whole' ? undefined : part;
  const open = () => context.storage.read(storage_key, range);
  const body = request.method === 'HEAD' ? null : await withinTime(context.time_limits.handler, open);
  request.status = range ? 206 : 200;
  if (body) request.body = body;
  request.set(headers);
  request.set('Content-Type', file.media_type);
  if (range) request.set('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
  request.length = range ? range.end - range.start + 1 : size;
}

function validatorsOf({ sha256, created_at }: ServedFile): Validators {
  return {
    etag: `"${Buffer.from(sha256, 'hex').toString('base64url').slice(0, 22)}"`,
    last_modified: new Date(created_at).toUTCString(),
  };
}

/** If-None-Match decides alone where it is sent (RFC 9110 13.2.2). */
function isCurrent(request: Request, { etag, last_modified }: Validators): boolean {
  if (request.headers['if-none-match'] !== undefined) return isFresh(request, etag);
  const since = Date.parse(request.headers['if-modified-since'] ?? '');
  return since >= Date.parse(last_modified);
}
