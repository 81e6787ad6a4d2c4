import type { z } from 'zod';
import type { Reader } from '../../shared/kernel/reader.ts';
import type { AnyParams, AnySchema, Declaration, Handled, Input } from './declaration.ts';
import type {
  FileEndpoint,
  GeneratedEndpoint,
  TransferEndpoint,
  UploadEndpoint,
} from './files/declarations.ts';
import type { StreamEndpoint } from './files/stream-declaration.ts';
import type { ListEndpoint } from './list.ts';
import type { ReportEndpoint } from './reports.ts';
import type { Steps } from './steps.ts';
import type { WriteDeclaration, WriteEndpoint } from './write-endpoint.ts';

export type { WriteEndpoint } from './write-endpoint.ts';

type Schema = z.ZodType;

type ReadDeclaration<Params, Query, Reply extends Schema> = Declaration<Params, Query, Reply> & {
  handle: (input: Input<Params, Query, undefined>, reader: Reader) => Handled<Reply>;
};

type StepwiseDeclaration<Params, Query, Body, Reply extends Schema> = Declaration<Params, Query, Reply> & {
  body?: Body;
  handle: (input: Input<Params, Query, Body>, steps: Steps) => Handled<Reply>;
};

export type ReadEndpoint = { kind: 'read' } & ReadDeclaration<AnyParams, AnySchema, Schema>;
export type StepwiseEndpoint = { kind: 'stepwise' } & StepwiseDeclaration<
  AnyParams,
  AnySchema,
  AnySchema,
  Schema
>;

/** The kinds of endpoint by their names; `kinds.ts` has how each is answered. */
export type EndpointKinds = {
  read: ReadEndpoint;
  list: ListEndpoint;
  report: ReportEndpoint;
  write: WriteEndpoint;
  stepwise: StepwiseEndpoint;
  upload: UploadEndpoint;
  transfer: TransferEndpoint;
  file: FileEndpoint;
  stream: StreamEndpoint;
  generated: GeneratedEndpoint;
};

/** One call of the API, as a value: everything else about it is derived from this. */
export type Endpoint = EndpointKinds[keyof EndpointKinds];

/** A call whose answer is JSON. */
export type JsonEndpoint = ReadEndpoint | ListEndpoint | ReportEndpoint | WriteEndpoint | StepwiseEndpoint;

/** The schema of the JSON body that a call takes, where it takes one. */
export function bodyOf(endpoint: Endpoint): z.ZodType | undefined {
  return takesJson(endpoint) ? endpoint.body : undefined;
}

/** Whether a call reads a JSON body. */
export function takesJson(endpoint: Endpoint): endpoint is WriteEndpoint | StepwiseEndpoint {
  return endpoint.kind === 'write' || endpoint.kind === 'stepwise';
}

/** A call that changes nothing. */
export function read<
  Reply extends Schema,
  Params extends AnyParams = undefined,
  Query extends AnySchema = undefined,
>(declaration: ReadDeclaration<Params, Query, Reply>): ReadEndpoint {
  return { kind: 'read', ...declaration } as unknown as ReadEndpoint;
}

/** A call that changes something; it runs in one transaction with its events, audit entries and jobs. */
export function write<
  Reply extends Schema,
  Params extends AnyParams = undefined,
  Query extends AnySchema = undefined,
  Body extends AnySchema = undefined,
  Prepared = undefined,
>(declaration: WriteDeclaration<Params, Query, Body, Reply, Prepared>): WriteEndpoint {
  return { kind: 'write', ...declaration } as unknown as WriteEndpoint;
}

/**
 * A call that holds a connection only now and then, since what it does between is slow (hashing a password). Each of
 * its writes is a transaction with its events, audit entries and jobs. It ignores Idempotency-Key.
 */
export function stepwise<
  Reply extends Schema,
  Params extends AnyParams = undefined,
  Query extends AnySchema = undefined,
  Body extends AnySchema = undefined,
>(declaration: StepwiseDeclaration<Params, Query, Body, Reply>): StepwiseEndpoint {
  return { kind: 'stepwise', ...declaration } as unknown as StepwiseEndpoint;
}
