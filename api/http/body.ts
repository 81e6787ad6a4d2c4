import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { Failure } from '../../shared/kernel/failure.ts';
import { DecimalSource } from '../../shared/kernel/schema.ts';
import type { Request } from './state.ts';

/** Bytes that a JSON body may have. */
export const JSON_LIMIT = 1024 * 1024;

/** Whether the body is a form that may hold files, which only those endpoints read that take one. */
export function isForm({ headers }: IncomingMessage): boolean {
  return /^multipart\/form-data *(;|$)/i.test(headers['content-type'] ?? '');
}

/** Refuses by its header what is too large, before anything else is looked at. Errors: `body_too_large`. */
export function refuseLargeBody(request: Request, limit = JSON_LIMIT): void {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
}

/**
 * Reads a body of that type as text, '' when there is none.
 * Errors: `unsupported_media_type`, `body_too_large`, `malformed_json` for bytes that are not UTF-8.
 */
export async function readBody(
  request: Request,
  type = 'application/json',
  limit = JSON_LIMIT,
): Promise<string> {
  const { headers } = request;
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return '';
  if (!request.is(type)) throw new Failure('unsupported_media_type');
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Failure('unsupported_media_type', { detail: 'Send the body without a content encoding' });
  }
  try {
    const bytes = await getRawBody(request.req, {
      limit,
      length: headers['content-length'] ?? null,
    });
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw new Failure('malformed_json', { detail: 'The body is not UTF-8' });
    if ((error as { type?: string }).type === 'entity.too.large') throw tooLarge(limit);
    throw new Failure('malformed_json', { detail: 'The body did not arrive whole', cause: error });
  }
}

/**
 * Parses JSON. Numbers with a fraction or an exponent keep their source text, so that an amount never passes through
 * binary floating point. Errors: `malformed_json`.
 */
export function parseJson(text: string): unknown {
  if (text === '') return undefined;
  try {
    return INEXACT.test(text) ? JSON.parse(text, exactly as never) : JSON.parse(text);
  } catch (error) {
    throw new Failure('malformed_json', { detail: (error as Error).message.slice(0, 200) });
  }
}

/** A number with a fraction or an exponent: it stands first in the text, or after what may come before a value. */
const INEXACT = /(?:^|[:,[])\s*-?\d+[.eE]/;

function exactly(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined || /^-?\d{1,15}$/.test(source)) return value;
  return new DecimalSource(source);
}

function tooLarge(limit: number): Failure {
  const detail = `The body may have ${limit / 1024 / 1024} MiB`;
  return new Failure('body_too_large', { detail, headers: { Connection: 'close' } });
}
