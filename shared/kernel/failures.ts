import type { FailureKind, Vocabulary } from './vocabulary.ts';

/**
 * The codes that any call can answer, whatever it is about. Codes of the platform and of domains stand in their
 * `words.ts`; the whole table is in shared/domains.ts. `title` is what went wrong in general, `help` what the reader can
 * do about it.
 */
export const kernelFailures = {
  malformed_request: {
    status: 400,
    title: 'What arrived is no HTTP request',
    help: 'Send it with an HTTP library, with a Host header; letters beyond ASCII in a path are percent-encoded.',
  },
  malformed_json: {
    status: 400,
    title: 'The body is not valid JSON',
    help: 'Send one JSON object in UTF-8.',
  },
  malformed_form: {
    status: 400,
    title: 'The body is not a whole multipart/form-data form',
    help: 'Send the form as RFC 7578 says, with a boundary in the Content-Type.',
  },
  invalid_version: {
    status: 400,
    title: 'The Service-Version header names no version',
    help: 'Use one of the dates in GET /api/v1/changelog, or leave the header out.',
  },
  invalid_cursor: {
    status: 400,
    title: 'The cursor cannot be continued from',
    help: 'Start again from the first page. In orders other than the default a cursor ends with its record.',
  },
  invalid_idempotency_key: {
    status: 400,
    title: 'The Idempotency-Key header is not usable',
    help: 'Send 1 to 255 visible ASCII characters, for example a UUID.',
  },
  missing_credentials: {
    status: 401,
    title: 'The request carries no credentials',
    help: 'Send "Authorization: Bearer <API key>" or sign in for a session cookie.',
  },
  invalid_credentials: {
    status: 401,
    title: 'The credentials are not valid',
    help: 'The key or session is unknown, expired, revoked or signed out. Make a new one.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The credentials do not allow this',
    help: 'Use a key or a role that has the scope named in "detail".',
  },
  no_active_organization: {
    status: 403,
    title: 'The session has no active organization',
    help: 'Create one with POST /api/v1/organizations or activate one of yours.',
  },
  cross_site_request: {
    status: 403,
    title: 'The request comes from another site',
    help: 'Requests that change something with a cookie must come from the pages of this service. Use an API key instead.',
  },
  session_required: {
    status: 403,
    title: 'This needs a signed-in person',
    help: 'API keys cannot do this. Sign in and use the session cookie.',
  },
  not_found: {
    status: 404,
    title: 'There is no such record',
    help: 'Check the ID. Records of other organizations look the same as missing ones.',
  },
  no_such_endpoint: { status: 404, title: 'There is no such endpoint', help: 'See /docs for all paths.' },
  method_not_allowed: {
    status: 405,
    title: 'The path does not take this method',
    help: 'The Allow header lists the methods that it takes.',
  },
  request_timeout: {
    status: 408,
    title: 'The request did not arrive in time',
    help: 'Send it again, without a pause in its header.',
  },
  invalid_transition: {
    status: 409,
    title: 'The record cannot change to that status',
    help: '"detail" names the present status and those that it can change to.',
  },
  already_exists: {
    status: 409,
    title: 'A record with this value exists already',
    help: '"errors" names the field. Use another value, or change the existing record.',
  },
  in_use: {
    status: 409,
    title: 'The record is in use',
    help: 'Remove or move what refers to it first; "detail" says what.',
  },
  cycle: { status: 409, title: 'The records would contain each other', help: 'Choose another parent.' },
  limit_reached: {
    status: 409,
    title: 'No more of these are allowed',
    help: 'Remove some first; "detail" names the limit.',
  },
  idempotency_key_in_use: {
    status: 409,
    title: 'The first request with this Idempotency-Key is still running',
    help: 'Send the same request again in a moment to get its answer.',
  },
  expired: { status: 410, title: 'This is no longer valid', help: 'Ask for a new one.' },
  version_retired: {
    status: 410,
    title: 'This version of the API has ended',
    help: 'Move to one of the versions in GET /api/v1/changelog.',
  },
  precondition_failed: {
    status: 412,
    title: 'The record has changed meanwhile',
    help: 'Read it again, and repeat the change with its new ETag in If-Match.',
  },
  body_too_large: { status: 413, title: 'The body is too large', help: 'Stay below the limit in "detail".' },
  too_many_values: {
    status: 413,
    title: 'The body has too many values',
    help: 'Send fewer members and elements, in several requests if need be; "detail" names the limit.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body has a type that is not taken here',
    help: 'Send "Content-Type: application/json", or "multipart/form-data" where a file is taken.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'The file has no such bytes',
    help: 'Content-Range tells how long it is.',
  },
  validation_failed: {
    status: 422,
    title: 'The request is not valid',
    help: '"errors" lists every fault with its place.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The Idempotency-Key was used for another request',
    help: 'Use a new key for each new request; repeat one only with the same method, path and body.',
  },
  unknown_reference: {
    status: 422,
    title: 'The request refers to a record that does not exist',
    help: '"errors" names the field. Use the ID of a record of this organization.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    help: 'Wait for the seconds in Retry-After. The RateLimit headers tell what is left.',
  },
  header_too_large: {
    status: 431,
    title: 'The header is too large',
    help: 'The path with its query and all headers may have 16 KiB together. Shorten the query, or send fewer cookies.',
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side',
    help: 'Try again; if it stays, tell the operator the request_id.',
  },
  unavailable: {
    status: 503,
    title: 'The service cannot answer just now',
    help: 'Try again after the seconds in Retry-After, with the same Idempotency-Key.',
  },
} as const satisfies Record<string, FailureKind>;

/** Every code of the kernel, the platform and the domains. */
export type FailureCode = {
  [Owner in keyof Vocabulary]: keyof Vocabulary[Owner]['failures'];
}[keyof Vocabulary];
