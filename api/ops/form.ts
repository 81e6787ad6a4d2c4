import type { Context } from 'koa';
import { Failure } from '../../shared/kernel/failure.ts';
import { readForm as readFormOf, withoutNul } from '../http/form.ts';
import type { Request } from '../http/request.ts';

/** A page's worth of chosen rows, and more. */
const FORM_LIMIT = 256 * 1024;

/** The fields of a form of these pages. Errors: `unsupported_media_type`, `body_too_large`, `validation_failed`. */
export function readForm(context: Context): Promise<URLSearchParams> {
  return readFormOf(context as unknown as Request, FORM_LIMIT);
}

/** The most records that are changed at once: each is named in the confirmation's form. */
export const MOST_CHOSEN = 5_000;

/** The IDs that a confirmed form names. Errors: those of `readForm`, and `validation_failed` for none or too many. */
export async function readChosen(context: Context): Promise<string[]> {
  const chosen = ((await readForm(context)).get('chosen') ?? '').split(' ').filter(Boolean);
  if (chosen.length === 0 || chosen.length > MOST_CHOSEN) throw new Failure('validation_failed');
  return chosen;
}

/** The query of a page. Errors: `validation_failed`. */
export function queryOf(context: Context): URLSearchParams {
  return withoutNul(new URLSearchParams(context.querystring));
}

/** A field that says something; undefined for one that is absent or blank. */
export function fieldOf(fields: URLSearchParams, name: string): string | undefined {
  return fields.get(name)?.trim() || undefined;
}

/** The number of the page that is asked for, from 1. */
export function pageNumber(fields: URLSearchParams): number {
  const asked = fields.get('page') ?? '';
  return /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : 1;
}
