import { Failure } from '../../shared/kernel/failure.ts';
import { isForm, readBody, readBytes } from './body.ts';
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

/** The fields of a form, and the small files that it holds by the names of their fields. */
export type FormWithFiles = { fields: URLSearchParams; files: ReadonlyMap<string, Buffer> };

/**
 * The same of a form that may hold files, of at most `limit` bytes with them: it is in memory whole. A field whose file was not
 * chosen is not there. Errors: those of `readForm`, `malformed_form`.
 */
export async function readFormWithFiles(request: Request, limit: number): Promise<FormWithFiles> {
  if (!isForm(request.req)) return { fields: await readForm(request, limit), files: new Map() };
  const bytes = await readBytes(request, limit, 'multipart/form-data');
  const headers = { 'Content-Type': request.get('Content-Type') };
  const form = await new Response(Uint8Array.from(bytes), { headers }).formData().catch((cause) => {
    throw new Failure('malformed_form', { cause });
  });
  const fields = new URLSearchParams();
  const files = new Map<string, Buffer>();
  for (const [name, value] of form) {
    if (typeof value === 'string') fields.append(name, value);
    else if (value.size > 0) files.set(name, Buffer.from(await value.arrayBuffer()));
  }
  return { fields: withoutNul(fields), files };
}
