import type { z } from 'zod';
import type { Database } from '../../shared/db/database.ts';
import type { Reader } from '../../shared/kernel/reader.ts';
import type { Work } from '../../shared/kernel/work.ts';
import type { ApiContext } from '../context.ts';
import type { AnyParams, AnySchema, Declaration, Handled, Input } from './declaration.ts';
import type { Caller } from './request.ts';

type Schema = z.ZodType;

/** What is done before the transaction begins may read for itself: it holds a connection while it reads alone. */
export type Before = {
  caller: Caller;
  database: Database;
  /** What the process works with, for what takes files from elsewhere. */
  context: ApiContext;
  /** Aborted when the call's time is over. */
  signal: AbortSignal;
  /** Whether the request repeats one that was answered, by its key: then nothing of it is stored. */
  isRepeated: () => Promise<boolean>;
};

/** What a call declares that changes something in one transaction. */
export type WriteDeclaration<Params, Query, Body, Reply extends Schema, Prepared = undefined> = Declaration<
  Params,
  Query,
  Reply
> & {
  body?: Body;
  /** The status of success: 201 for what makes a record, 202 for work that continues, 200 otherwise. */
  status?: 200 | 201 | 202;
  /** Fields of the answer (`token`, `partial.token`) that are never kept for a replay: shown once, or about persons. */
  secrets?: readonly string[];
  /** Computes the secrets of a kept answer anew for its replay; else they are null there. */
  renew?: (
    kept: Record<string, unknown>,
    work: Work,
    input: Input<Params, Query, Body>,
  ) => Promise<Record<string, unknown>>;
  /**
   * What a request is answered that carries a proof of its own of having been sent before, whatever its Idempotency-Key says;
   * null for any other. The handler answers the same without a key.
   */
  repeats?: (input: Input<Params, Query, Body>, work: Work) => Promise<z.input<Reply> | null>;
  /**
   * Whether many of these come at once, so that works which say so (`Work.shareCommit`) are written together. The handler may run
   * twice. With an Idempotency-Key each is a transaction of its own.
   */
  shares_commit?: boolean;
  /** Whether the handler itself compares If-Match, which then names no revision of a record. */
  own_conditions?: boolean;
  /** What is slow and needs no connection, such as the hash of a password, before the transaction begins. */
  prepare?: (input: Input<Params, Query, Body>, before: Before) => Promise<Prepared>;
  handle: (input: Input<Params, Query, Body> & { prepared: Prepared }, work: Work) => Handled<Reply>;
  /** What is answered in the place of 202 once the job has succeeded while its caller waits, by its result. */
  awaited?: (result: Record<string, unknown>, reader: Reader) => Handled<Reply>;
};

export type WriteEndpoint = { kind: 'write' } & WriteDeclaration<
  AnyParams,
  AnySchema,
  AnySchema,
  Schema,
  unknown
>;
