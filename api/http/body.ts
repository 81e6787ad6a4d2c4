import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { Failure } from '../../shared/kernel/failure.ts';
import { type AccessDeclaration, accessOf } from './access.ts';
import type { BodyLimits } from './declaration.ts';
import { MOST_VALUES } from './json.ts';
import type { Request } from './request.ts';

/** What the JSON body of a call may have: what follows from who may call, unless its declaration says otherwise. */
export function bodyLimitsOf(
  declared: Pick<AccessDeclaration, 'scope'> & { body_limits?: Partial<BodyLimits> },
): BodyLimits {
  return { bytes: accessOf(declared).body_bytes, values: MOST_VALUES, ...declared.body_limits };
}

/** Whether the body is a form that may hold files, which only those endpoints read that take one. */
export function isForm({ headers }: IncomingMessage): boolean {
  return /^multipart\/form-data *(;|$)/i.test(headers['content-type'] ?? '');
}

/** Refuses by its header what is too large, before anything else is looked at. Errors: `body_too_large`. */
export function refuseLargeBody(request: Request, limit: number): void {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
}

/**
 * Reads a body of that type as text, '' when there is none. A sender who waits for 100 Continue gets it here.
 * Errors: `unsupported_media_type`, `body_too_large`, `malformed_json` for bytes that are not UTF-8.
 */
export async function readBody(request: Request, limit: number, type = 'application/json'): Promise<string> {
  const { headers } = request;
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return '';
  if (!request.is(type)) throw new Failure('unsupported_media_type');
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Failure('unsupported_media_type', {
      detail: {
        en: 'Send the body without a content encoding',
        ja: '本文は圧縮などをせずに送信してください',
      },
    });
  }
  tellToContinue(request);
  try {
    const bytes = await getRawBody(request.req, {
      limit,
      length: headers['content-length'] ?? null,
    });
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError)
      throw new Failure('malformed_json', {
        detail: { en: 'The body is not UTF-8', ja: '本文がUTF-8ではありません' },
      });
    if ((error as { type?: string }).type === 'entity.too.large') throw tooLarge(limit);
    throw new Failure('malformed_json', {
      detail: { en: 'The body did not arrive whole', ja: '本文が最後まで届きませんでした' },
      cause: error,
    });
  }
}

function tooLarge(limit: number): Failure {
  const detail = { en: `The body may have ${shownBytes(limit)}`, ja: `本文の上限は${shownBytes(limit)}です` };
  return new Failure('body_too_large', { detail, headers: { Connection: 'close' } });
}

/** Tells a sender who waits for it that the body will be read (RFC 9110, 10.1.1). */
export function tellToContinue({ req, res }: Request): void {
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
}

/** A number of bytes as people write it, for example `16 KiB` or `50 MiB`. */
export function shownBytes(bytes: number): string {
  const kibibytes = bytes / 1024;
  return kibibytes < 1024 ? `${kibibytes} KiB` : `${kibibytes / 1024} MiB`;
}
