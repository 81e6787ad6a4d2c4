import type { z } from 'zod';
import type { FailureCode } from '../../../shared/kernel/failures.ts';
import type { Access, AccessDeclaration } from '../access.ts';
import { bodyOf, type Endpoint } from '../endpoint.ts';
import type { FileField, TransferEndpoint } from '../files/declarations.ts';
import { sendsBrowsersToPage } from '../link-access.ts';
import { JobReply } from '../schemas.ts';
import { documentedFailures, takesIdempotencyKey, takesIfMatch } from './failures.ts';

/** An answer that is not JSON: its media type and what it looks like. */
export type TextReply = { media_type: string; example: string; description: string };

/** One call as the text about the API tells it. */
export type Call = AccessDeclaration & {
  id: string;
  method: string;
  /** With `:id` for parameters. */
  path: string;
  summary: string;
  description?: string | undefined;
  params?: z.ZodType | undefined;
  query?: z.ZodType | undefined;
  body?: z.ZodType | undefined;
  /** The field of a form that holds a file; the form's other fields are `body`. */
  file?: FileField | undefined;
  /** The field of a form that may hold all others as JSON, where it is not `options`. */
  together?: string | undefined;
  /** The body in JSON that it takes in the place of the form. */
  or?: z.ZodType | undefined;
  /** The bytes that its body is, and the headers that it hears and tells beside those of all. */
  takes?: TransferEndpoint['takes'];
  hears?: Endpoint['hears'];
  tells?: TransferEndpoint['tells'];
  status: number;
  /** Other statuses of success with the same body. */
  also: readonly number[];
  /** Absent where it answers nothing but files or events. */
  reply?: z.ZodType | TextReply | undefined;
  /** What the example of the answer shows instead, by the answer's members. */
  example?: Record<string, Record<string, unknown>> | undefined;
  /** The media types of the file that it may answer. */
  media_types?: readonly string[] | undefined;
  /** The job that is answered where a file is not there yet. */
  job?: z.ZodType | undefined;
  /** The events of a stream by their names. */
  events?: Record<string, z.ZodType> | undefined;
  /** The names of the parameters that choose the records of a list; absent for what is not a list. */
  filters?: readonly string[] | undefined;
  /** Whether a browser that prefers HTML is sent to the page of the link. */
  redirects_browsers?: boolean;
  failures: readonly FailureCode[];
  /** Whether it follows the conventions of the API: versions, limits, ETags. */
  house: boolean;
  /** Whether it reads Idempotency-Key, and If-Match. */
  repeatable: boolean;
  guarded: boolean;
};

/**
 * A call that is not an endpoint value (sign-in, health), described beside where it is mounted so that it stands in the
 * text like the others.
 */
export type PlainCall = {
  id: string;
  method: 'get' | 'post';
  path: string;
  /** `session`: the cookie is needed. */
  access: 'public' | 'session';
  summary: string;
  description?: string;
  query?: z.ZodType;
  body?: z.ZodType;
  status?: number;
  reply: z.ZodType | TextReply;
  failures: readonly FailureCode[];
};

/** What an endpoint's declaration says about it. */
export function callOfEndpoint(endpoint: Endpoint): Call {
  const { id, method, path, scope, session = false, link } = endpoint;
  const { either_scope, domain_scope, either_domain_scope } = endpoint;
  const { summary, description, params, query } = endpoint;
  const generates = 'generates' in endpoint ? endpoint.generates : undefined;
  return {
    id,
    method,
    path,
    scope,
    either_scope,
    domain_scope,
    either_domain_scope,
    session,
    link,
    summary,
    description,
    params,
    query,
    body: endpoint.kind === 'upload' ? endpoint.fields : bodyOf(endpoint),
    file: endpoint.kind === 'upload' ? endpoint.file : undefined,
    together: endpoint.kind === 'upload' ? endpoint.together : undefined,
    or: endpoint.kind === 'upload' ? endpoint.or?.body : undefined,
    hears: endpoint.kind === 'upload' && endpoint.file.raw ? { 'Repr-Digest': REPR_DIGEST } : endpoint.hears,
    ...(endpoint.kind === 'transfer' && { takes: endpoint.takes, tells: endpoint.tells }),
    status: 'status' in endpoint ? (endpoint.status ?? 200) : 200,
    also: 'also' in endpoint ? (endpoint.also ?? []) : [],
    reply: 'reply' in endpoint ? endpoint.reply : undefined,
    example: 'example' in endpoint ? endpoint.example : undefined,
    media_types: endpoint.kind === 'file' ? endpoint.media_types : generates?.media_types,
    job: generates && JobReply,
    events: endpoint.kind === 'stream' ? endpoint.events : undefined,
    filters: endpoint.kind === 'list' ? Object.keys(endpoint.list.filters.shape) : undefined,
    redirects_browsers: sendsBrowsersToPage(endpoint),
    failures: documentedFailures(endpoint),
    house: true,
    repeatable: takesIdempotencyKey(endpoint),
    guarded: takesIfMatch(endpoint),
  };
}

const REPR_DIGEST = {
  description: 'SHA-256 of a body that is the file itself (RFC 9530): 422 when other bytes arrive.',
  example: 'sha-256=:uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=:',
};

const ACCESS: Record<PlainCall['access'], Access> = { public: 'public', session: 'account' };

/** A plain call in the same form. */
export function callOfPlain(plain: PlainCall): Call {
  const { access, status = 200, ...rest } = plain;
  return {
    ...rest,
    scope: ACCESS[access],
    status,
    also: [],
    house: false,
    repeatable: false,
    guarded: false,
  };
}

/** Whether a reply is text of another kind than JSON. */
export function isText(reply: z.ZodType | TextReply): reply is TextReply {
  return 'media_type' in reply;
}
