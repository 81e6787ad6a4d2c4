import type { z } from 'zod';
import type { FailureCode } from '../../shared/kernel/failures.ts';
import type { Reader } from '../../shared/kernel/reader.ts';
import { type Scope, scopes } from '../../shared/kernel/scope.ts';
import type { Work } from '../../shared/kernel/work.ts';
import type { MailLimits } from '../../shared/platform/mailer/mail-limits.ts';
import type { BodyLimits } from './body.ts';
import type {
  FileEndpoint,
  GeneratedEndpoint,
  Generating,
  StreamEndpoint,
  UploadEndpoint,
} from './files/declarations.ts';
import type { ListDeclaration } from './list.ts';
import type { Steps } from './steps.ts';

/**
 * Who may call: a scope; `any`, every credential with an organization; `account`, a signed-in person, with or
 * without an organization; `visitor`, everybody, and a session is noticed where there is one; `public`, everybody,
 * credentials ignored.
 */
export type Access = Scope | 'any' | 'account' | 'visitor' | 'public';

type Schema = z.ZodType;
export type Parsed<S> = S extends Schema ? z.output<S> : undefined;

export type Input<Params, Query, Body> = {
  params: Parsed<Params>;
  query: Parsed<Query>;
  body: Parsed<Body>;
  /** The version of the API that the answer will be given in. */
  version: string;
  /** The caller's own address and browser, for sessions that an answer opens, and the session it came with. */
  client: { ip_address: string; user_agent: string | null; session_id: string | null };
  /** What the settings allow the organization to mail by hand. */
  mail_limits: MailLimits;
};

/** An answer that differs from the declared one in its status or headers, with the same body schema. */
export class Answer<Body> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Record<string, string | string[]>;

  constructor(status: number, body: Body, headers: Record<string, string | string[]> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** What every kind of endpoint says of itself. */
export type Described<Params, Query> = {
  /** `<domain>.<resource>.<what>`: the operation's name in the OpenAPI text, the metrics and the log. */
  id: string;
  /** From the root, with `:id` for parameters. */
  path: string;
  scope: Access;
  /** A second scope that is asked for too: of the domain whose records a call across domains shows. */
  domain_scope?: Scope;
  /** True for what an API key may not do, whatever its scopes. */
  session?: boolean;
  summary: string;
  description?: string;
  params?: Params;
  query?: Query;
  /** What its JSON body may have, where that differs from what others of its scope take: bytes, and values in all. */
  body_limits?: Partial<BodyLimits>;
  /** Codes beyond those that follow from the declaration itself (credentials, scope, form, limits). */
  raises?: readonly FailureCode[];
};

type Declaration<Params, Query, Reply extends Schema> = Described<Params, Query> & {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  reply: Reply;
  /** What the example of its answer shows in the place of what its schema's example has, member by member. */
  example?: Record<string, Record<string, unknown>>;
  /** Other statuses that it may answer with the same body: 301 for a record that was merged into another. */
  also?: readonly (200 | 201 | 202 | 301)[];
};

type ReadDeclaration<Params, Query, Reply extends Schema> = Declaration<Params, Query, Reply> & {
  /** For what is answered as a file that a worker makes when the request asks so (`format=csv`). */
  generates?: Generating<Input<Params, Query, undefined>>;
  handle: (
    input: Input<Params, Query, undefined>,
    reader: Reader,
  ) => Promise<z.input<Reply> | Answer<z.input<Reply>>>;
};

type WriteDeclaration<Params, Query, Body, Reply extends Schema> = Declaration<Params, Query, Reply> & {
  body?: Body;
  /** What success answers: 201 for what makes a record, 202 for work that goes on, 200 otherwise. */
  status?: 200 | 201 | 202;
  /** Fields at the top of the answer that are shown once and never kept for a replay. */
  secrets?: readonly string[];
  handle: (input: Input<Params, Query, Body>, work: Work) => Promise<z.input<Reply> | Answer<z.input<Reply>>>;
};

export type ReadEndpoint = { kind: 'read'; list?: ListDeclaration } & ReadDeclaration<
  z.ZodObject | undefined,
  Schema | undefined,
  Schema
>;
export type WriteEndpoint = { kind: 'write' } & WriteDeclaration<
  z.ZodObject | undefined,
  Schema | undefined,
  Schema | undefined,
  Schema
>;

type StepwiseDeclaration<Params, Query, Body, Reply extends Schema> = Declaration<Params, Query, Reply> & {
  body?: Body;
  handle: (
    input: Input<Params, Query, Body>,
    steps: Steps,
  ) => Promise<z.input<Reply> | Answer<z.input<Reply>>>;
};

export type StepwiseEndpoint = { kind: 'stepwise' } & StepwiseDeclaration<
  z.ZodObject | undefined,
  Schema | undefined,
  Schema | undefined,
  Schema
>;

/** One call of the API, as a value: everything else about it is derived from this. */
export type Endpoint = JsonEndpoint | UploadEndpoint | FileEndpoint | StreamEndpoint | GeneratedEndpoint;

/** Every scope that a caller must have; none for a call that asks for none. */
export function scopesOf({
  scope,
  domain_scope,
}: Pick<Endpoint, 'scope' | 'domain_scope'>): readonly Scope[] {
  const own = scopes.filter((each) => each === scope);
  return domain_scope ? [...own, domain_scope] : own;
}

/** A call that runs in one of the three ways that answer JSON. */
export type JsonEndpoint = ReadEndpoint | WriteEndpoint | StepwiseEndpoint;

/** The schema of the JSON body that a call takes, where it takes one. */
export function bodyOf(endpoint: Endpoint): z.ZodType | undefined {
  return endpoint.kind === 'write' || endpoint.kind === 'stepwise' ? endpoint.body : undefined;
}

/** A call that changes nothing. */
export function read<
  Reply extends Schema,
  Params extends z.ZodObject | undefined = undefined,
  Query extends Schema | undefined = undefined,
>(declaration: ReadDeclaration<Params, Query, Reply>): Endpoint {
  return { kind: 'read', ...declaration } as unknown as ReadEndpoint;
}

/** A call that changes something; it runs in one transaction with its events, audit entries and jobs. */
export function write<
  Reply extends Schema,
  Params extends z.ZodObject | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
>(declaration: WriteDeclaration<Params, Query, Body, Reply>): Endpoint {
  return { kind: 'write', ...declaration } as unknown as WriteEndpoint;
}

/**
 * A call that holds a connection only now and then, since what it does between is slow (hashing a password). Each of
 * its writes is a transaction with its events, audit entries and jobs. It ignores Idempotency-Key.
 */
export function stepwise<
  Reply extends Schema,
  Params extends z.ZodObject | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
>(declaration: StepwiseDeclaration<Params, Query, Body, Reply>): Endpoint {
  return { kind: 'stepwise', ...declaration } as unknown as StepwiseEndpoint;
}
