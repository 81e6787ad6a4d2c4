import { failures } from '../../../shared/domains.ts';
import type { FailureCode } from '../../../shared/kernel/failures.ts';
import { accessOf } from '../access.ts';
import { type Endpoint, takesJson } from '../endpoint.ts';

/**
 * Every code that a call may answer: those that follow from its declaration and those that it raises itself, in the
 * order of the table of failures.
 */
export function documentedFailures(endpoint: Endpoint): FailureCode[] {
  const { method, kind } = endpoint;
  const access = accessOf(endpoint);
  const codes = new Set<FailureCode>([
    ...ALWAYS,
    ...access.failures(endpoint),
    ...when(access.takes_cookies && !SAFE.has(method), 'cross_site_request'),
    ...when(
      takesJson(endpoint),
      'malformed_json',
      'unsupported_media_type',
      'body_too_large',
      'too_many_values',
    ),
    ...when(
      kind === 'upload',
      'malformed_form',
      'unsupported_media_type',
      'body_too_large',
      'too_many_values',
    ),
    ...when(kind === 'upload' && endpoint.file.raw !== undefined, 'checksum_mismatch'),
    ...(kind === 'upload' && endpoint.or ? documentedFailures(endpoint.or) : []),
    ...when(
      kind === 'transfer' && endpoint.takes !== undefined,
      'malformed_form',
      'unsupported_media_type',
      'body_too_large',
    ),
    ...when(answersFile(endpoint), 'range_not_satisfiable'),
    ...when(endpoint.params !== undefined, 'not_found'),
    ...when(takesIdempotencyKey(endpoint), ...IDEMPOTENCY),
    ...when(takesIfMatch(endpoint), 'precondition_failed'),
    ...(endpoint.raises ?? []),
  ]);
  return inOrder(codes);
}

/** Methods that change nothing: another site may send them. */
const SAFE: ReadonlySet<string> = new Set(['get', 'head', 'options']);

/** Any path refuses an unknown query parameter, a version that does not exist, and too many requests. */
const ALWAYS = [
  'invalid_version',
  'version_retired',
  'validation_failed',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const;

const IDEMPOTENCY = ['invalid_idempotency_key', 'idempotency_key_in_use', 'idempotency_key_reused'] as const;

/** Whether the Idempotency-Key header is read. */
export function takesIdempotencyKey(endpoint: Endpoint): boolean {
  return isWrite(endpoint.kind) && endpoint.method === 'post' && accessOf(endpoint).is_authenticated;
}

/** Whether the If-Match header is read: files, changes of, and actions on, a single record or the only one of its kind. */
export function takesIfMatch(endpoint: Endpoint): boolean {
  if (answersFile(endpoint)) return true;
  const { kind, method, path } = endpoint;
  if (!isWrite(kind) || method === 'get' || !accessOf(endpoint).is_private) return false;
  const isOfOnlyOne = (method === 'put' || method === 'delete') && !path.includes(':');
  return method === 'patch' || isOfOnlyOne || /\/:(id|external_id|work_date)(\/|$)/.test(path);
}

/** Whether it may answer a file, in parts where Range asks so. */
function answersFile(endpoint: Endpoint): boolean {
  return endpoint.kind === 'file' || ('generates' in endpoint && endpoint.generates !== undefined);
}

function isWrite(kind: Endpoint['kind']): boolean {
  return kind === 'write' || kind === 'upload';
}

/** Codes in the order of the table of failures. */
export function inOrder(codes: Iterable<FailureCode>): FailureCode[] {
  const chosen = new Set(codes);
  return (Object.keys(failures) as FailureCode[]).filter((code) => chosen.has(code));
}

function when(condition: boolean, ...codes: FailureCode[]): FailureCode[] {
  return condition ? codes : [];
}
