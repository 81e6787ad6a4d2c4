import type { ApiContext } from '../../context.ts';
import { type Call, isKnown, repeatableOf } from '../run-endpoint.ts';
import { stepsOf } from '../steps.ts';
import type { Admission, Conditions, UploadEndpoint } from './declarations.ts';

/** Asks the endpoint to admit what comes; null where it admits everything. Errors: those of its `admit`. */
export async function admission(
  context: ApiContext,
  { admit }: UploadEndpoint,
  { input, caller, request }: Call,
  fields: unknown,
): Promise<Admission<unknown> | null> {
  if (!admit) return null;
  const { 'content-length': length } = request.headers;
  const time = () => AbortSignal.timeout(context.time_limits.handler);
  const asking = { ...input, fields: fields as never, conditions: conditionsOf(request) };
  return admit(
    { ...asking, length: length === undefined ? null : Number(length) },
    stepsOf(context, request, caller, time),
  );
}

/** The conditions of a change, as they were sent. */
export function conditionsOf({ headers }: Call['request']): Conditions {
  return {
    if_match: headers['if-match'] ?? null,
    if_none_match: headers['if-none-match'] ?? null,
  };
}

/** Whether the request repeats one that was answered, by its key: then its bytes are compared with that one's, not stored. */
export async function isRepeated(context: ApiContext, { caller, request }: Call): Promise<boolean> {
  return isKnown(context, caller, repeatableOf(request, caller));
}
