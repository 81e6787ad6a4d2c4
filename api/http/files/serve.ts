import { Readable } from 'node:stream';
import { Failure } from '../../../shared/kernel/failure.ts';
import { unfound } from '../../../shared/platform/storage/missing.ts';
import type { ApiContext } from '../../context.ts';
import type { Request } from '../request.ts';
import { withinTime } from '../time-limits.ts';
import { outcomeOf, type Served } from './conditions.ts';
import type { ServedFile, WrittenFile } from './declarations.ts';
import { disposition } from './file-name.ts';

type AnyFile = ServedFile | WrittenFile;

/**
 * Sends a file, or the part of it that is asked for; 304 for what the caller has already. The connection to the
 * database has been given back by then. Errors: `precondition_failed`, `range_not_satisfiable`, `unavailable`, and those
 * of the file's `begin`.
 */
export async function serveFile(context: ApiContext, request: Request, file: AnyFile): Promise<void> {
  const { size, media_type } = file;
  const served = servedOf(file);
  const outcome = outcomeOf(request, served);
  if (outcome.status === 412) throw new Failure('precondition_failed');
  if (outcome.status === 416) {
    throw new Failure('range_not_satisfiable', {
      detail: { en: `The file has ${size} bytes`, ja: `ファイルの大きさは${size}バイトです` },
      headers: { 'Content-Range': `bytes */${size}` },
    });
  }
  if (outcome.status !== 304 && (await isSentElsewhere(context, request, file))) return;
  const range = outcome.status === 206 ? outcome.range : undefined;
  const length = range ? range.end - range.start + 1 : size;
  const isSent = outcome.status !== 304 && request.method !== 'HEAD';
  const part = { start: range?.start ?? 0, length, is_whole: !range };
  const open = () => opened(context, file, part);
  // First: a refusal has none of the file's headers.
  const body = isSent ? await withinTime(context.time_limits.handler, open) : null;
  await begin(file, body);
  request.status = outcome.status;
  if (body) request.body = body;
  request.set({
    ETag: served.etag,
    'Last-Modified': served.last_modified,
    'Accept-Ranges': served.ranges ? 'bytes' : 'none',
    'Content-Disposition': disposition(placeOf(file), file.file_name),
    'Content-Security-Policy': policyOf(file),
  });
  if (outcome.status === 304) return;
  request.set('Content-Type', media_type);
  if (range) request.set('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
  request.length = length;
}

/** The bytes of a part of a file. */
async function opened(
  { storage }: ApiContext,
  file: AnyFile,
  part: { start: number; length: number; is_whole: boolean },
): Promise<Readable> {
  if ('storage_key' in file) {
    const { storage_key } = file;
    return storage.outgoing(storage_key, part).catch((error) => {
      throw unfound(error, storage_key);
    });
  }
  return Readable.from([file.content.subarray(part.start, part.start + part.length)], { objectMode: false });
}

/** Begins to send what was opened; where that is refused, closes it. */
async function begin({ delivery }: AnyFile, body: Readable | null): Promise<void> {
  if (!body || !delivery?.begin) return;
  try {
    await delivery.begin();
  } catch (error) {
    body.destroy();
    throw error;
  }
}

/** Seconds that a URL of the store is good for. */
const SIGNED_FOR = 5 * 60;

/** Sends the caller to the store itself, where that is asked for and the store has such URLs. */
async function isSentElsewhere(context: ApiContext, request: Request, file: AnyFile): Promise<boolean> {
  if (!file.delivery?.redirect || !('storage_key' in file)) return false;
  const url = await context.storage.signedUrl(file.storage_key, {
    disposition: disposition('attachment', file.file_name),
    media_type: file.media_type,
    seconds: SIGNED_FOR,
  });
  if (url === null) return false;
  request.status = 302;
  request.set('Location', url);
  // Without a body koa would make it a 204.
  request.body = Buffer.alloc(0);
  request.remove('Content-Type');
  return true;
}

function servedOf({ size, sha256, created_at, delivery = {} }: AnyFile): Served {
  return {
    size,
    etag: delivery.etag ?? `"${Buffer.from(sha256, 'hex').toString('base64url').slice(0, 22)}"`,
    last_modified: new Date(created_at).toUTCString(),
    ranges: delivery.ranges ?? true,
  };
}

/** What a browser may show in its window: types whose reader runs nothing of the file. */
const SHOWN = new Set([
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'text/plain',
]);

function placeOf({ media_type, delivery = {} }: AnyFile): 'inline' | 'attachment' {
  return delivery.disposition === 'inline' && SHOWN.has(media_type) ? 'inline' : 'attachment';
}

/** What a file holds runs in no page of this origin. Browsers show no PDF in a sandbox. */
function policyOf({ media_type, delivery = {} }: AnyFile): string {
  const rest = "default-src 'none'; frame-ancestors 'none'";
  return media_type === 'application/pdf' && !delivery.is_sandboxed ? rest : `${rest}; sandbox`;
}
