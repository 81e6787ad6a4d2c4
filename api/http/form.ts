import { Failure } from '../../shared/kernel/failure.ts';
import { readBody } from './body.ts';
import type { Request } from './request.ts';

/**
 * The fields of the form of a page, of at most `limit` bytes.
 * Errors: `unsupported_media_type`, `body_too_large`, `validation_failed` for NUL characters.
 */
export async function readForm(request: Request, limit: number): Promise<URLSearchParams> {
  return withoutNul(new URLSearchParams(await readBody(request, limit, 'application/x-www-form-urlencoded')));
}

/** The same fields, none of which holds a NUL character: PostgreSQL's text takes none. Errors: `validation_failed`. */
export function withoutNul(fields: URLSearchParams): URLSearchParams {
  if ([...fields.values()].some((value) => value.includes('\0'))) throw new Failure('validation_failed');
  return fields;
}
