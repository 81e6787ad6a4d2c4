import { hash } from 'node:crypto';
import { failureOf } from '../../shared/db/constraint.ts';
import { EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { inSharedWork, SHARED_LETTERS } from '../../shared/db/in-shared-work.ts';
import { inWork } from '../../shared/db/in-work.ts';
import type { Connection } from '../../shared/kernel/connection.ts';
import type { Failure } from '../../shared/kernel/failure.ts';
import { NO_ORGANIZATION } from '../../shared/kernel/reader.ts';
import type { Work } from '../../shared/kernel/work.ts';
import type { ApiContext } from '../context.ts';
import { checkedReply } from './checked-reply.ts';
import { Answer, type Input } from './declaration.ts';
import type { JsonEndpoint, ReadEndpoint, StepwiseEndpoint, WriteEndpoint } from './endpoint.ts';
import { revisionsAsked } from './etag.ts';
import { statusOf } from './failure-status.ts';
import type { FileEndpoint, ServedFile, WrittenFile } from './files/declarations.ts';
import {
  fingerprintOf,
  idempotencyKey,
  isKeyKnown,
  type KeptAnswer,
  keepAnswer,
  type Repeatable,
  takeKey,
} from './idempotency.ts';
import { languageAskedFor } from './language.ts';
import { problemOf } from './problem.ts';
import type { Caller, Request } from './request.ts';
import { stepsOf } from './steps.ts';

/** A request that has passed all checks: what it asks, and for whom. */
export type Call = {
  input: Input<undefined, undefined, undefined>;
  caller: Caller;
  request: Request;
};

/** A call with the signal that its time is over. */
export type TimedCall = Call & { signal: AbortSignal };

/** The outcome of a call; `replayed` when it is the answer kept from an earlier one. */
export type Answered = { answer: Answer<unknown>; replayed: boolean };

/** An answer without a body. */
export type Bare = { status: number; headers: Answer<unknown>['headers'] };

/** An answer in JSON, one without a body, a file to be sent, or a stream that the endpoint sends by itself. */
export type Ran = Answered | { bare: Bare } | { file: ServedFile | WrittenFile } | { streams: true };

/** Answers a read: one connection, no transaction. */
export async function runRead(
  context: ApiContext,
  endpoint: ReadEndpoint,
  { input, caller, signal }: TimedCall,
): Promise<Answered> {
  const read = async (connection: Connection) => {
    const result = await endpoint.handle(input, { ...caller, connection });
    return { answer: answerOf(endpoint, result), replayed: false };
  };
  return context.database.withConnection(organizationOf(caller), read, signal);
}

/** Finds the file that is asked for. */
export async function runFile(
  context: ApiContext,
  endpoint: FileEndpoint,
  { input, caller, request, signal }: TimedCall,
): Promise<Ran> {
  if (endpoint.in_steps) {
    const steps = stepsOf(context, request, caller, () => signal, Object.keys(endpoint.hears ?? {}));
    return { file: await endpoint.handle(input, steps) };
  }
  const find = async (connection: Connection) => ({
    file: await endpoint.handle(input, { ...caller, connection }),
  });
  return context.database.withConnection(organizationOf(caller), find, signal);
}

/**
 * Answers a write: the rows, the events, the audit entries, the outbox and the kept answer commit together. The reply
 * is checked before the commit, so a wrong one changes nothing.
 */
export async function runWrite(
  context: ApiContext,
  endpoint: WriteEndpoint,
  { input, caller, request, signal }: TimedCall,
): Promise<Answered> {
  const repeatable = repeatableOf(request, caller);
  const revisions = endpoint.own_conditions ? null : revisionsAsked(request);
  const prepared = await endpoint.prepare?.(input, {
    caller,
    database: context.database,
    context,
    signal,
    isRepeated: () => isKnown(context, caller, repeatable),
  });
  const last = ({ answer }: Answered) => {
    if (!repeatable) return [];
    const kept = { ...answer, headers: keptHeaders(answer) };
    return [keepAnswer(repeatable, kept, endpoint.secrets ?? [], caller.now)];
  };
  const handle = async (work: Work): Promise<Answered> => {
    const result = await endpoint.handle({ ...input, prepared }, work);
    return { answer: answerOf(endpoint, result), replayed: false };
  };
  if (endpoint.shares_commit && !repeatable && isSmall(request)) {
    const sharing = {
      database: context.database,
      organization_id: organizationOf(caller),
      reader: caller,
      signal,
    };
    return inSharedWork(sharing, handle, { revisions });
  }
  const write = async (connection: Connection) => {
    try {
      return await inWork<Answered>(
        { ...caller, connection },
        async (work) => {
          const repeated = repeatable && (await endpoint.repeats?.(input, work));
          if (repeated) {
            work.nothingChanged();
            return { answer: answerOf(endpoint, repeated), replayed: true };
          }
          const kept = repeatable && (await takeKey(connection, repeatable, caller.now));
          if (kept) {
            const body = await replayedBody(endpoint, kept, work, input);
            work.abandon();
            return { answer: new Answer(kept.status, body, kept.headers), replayed: true };
          }
          return handle(work);
        },
        { revisions, last },
      );
    } catch (error) {
      const failure = failureOf(error);
      if (repeatable && isKept(failure))
        await keepRefusal(connection, repeatable, failure, request, caller.now);
      throw error;
    }
  };
  return context.database.withConnection(organizationOf(caller), write, signal);
}

function isSmall({ state }: Request): boolean {
  return (state.body_text?.length ?? 0) <= SHARED_LETTERS;
}

/** Whether a request was answered before, by its key. */
export async function isKnown(
  { database }: ApiContext,
  caller: Caller,
  repeatable: Repeatable | null,
): Promise<boolean> {
  if (!repeatable) return false;
  return database.withConnection(organizationOf(caller), (connection) =>
    isKeyKnown(connection, repeatable, caller.now),
  );
}

/** The body of a kept answer, with what is computed anew in the place of its secrets. */
async function replayedBody(
  { renew }: WriteEndpoint,
  kept: KeptAnswer,
  work: Work,
  input: TimedCall['input'],
): Promise<unknown> {
  if (!renew || kept.status >= 400) return kept.body;
  const body = kept.body as Record<string, unknown>;
  return { ...body, ...(await renew(body, work, input)) };
}

/** Answers a call that opens its reads and writes by itself. */
export async function runStepwise(
  context: ApiContext,
  endpoint: StepwiseEndpoint,
  { input, caller, request, signal }: TimedCall,
): Promise<Answered> {
  const steps = stepsOf(context, request, caller, () => signal, Object.keys(endpoint.hears ?? {}));
  return { answer: answerOf(endpoint, await endpoint.handle(input, steps)), replayed: false };
}

/** A call that acts in no organization reaches all of them: its token, path or person decides what it touches. */
export function organizationOf({ organization_id }: Caller): string {
  return organization_id === NO_ORGANIZATION ? EVERY_ORGANIZATION : organization_id;
}

/** What says which JSON is answered. */
export type AnsweringEndpoint = Pick<JsonEndpoint, 'id' | 'path' | 'reply' | 'also'> & { status?: number };

/** A handler's answer, checked against the declaration. Throws for one that the endpoint does not declare. */
export function answerOf(endpoint: AnsweringEndpoint, result: unknown): Answer<unknown> {
  const { status = 200 } = endpoint;
  const answer = result instanceof Answer ? result : new Answer(status, result);
  if (answer.status !== status && !endpoint.also?.some((other) => other === answer.status)) {
    throw new Error(`${endpoint.id} answered ${answer.status}, which it does not declare`);
  }
  const body = checkedReply(endpoint, answer.body);
  const location = answer.status === 201 ? locationOf(endpoint.path, body) : null;
  return new Answer(
    answer.status,
    body,
    location ? { Location: location, ...answer.headers } : answer.headers,
  );
}

/** Where a created record is found: below the path of its collection. */
function locationOf(path: string, body: unknown): string | null {
  // What is made below a record is found elsewhere, which its call says.
  if (path.includes('/:')) return null;
  for (const value of Object.values(body as object)) {
    if (typeof value === 'object' && value !== null && 'id' in value) return `${path}/${value.id}`;
  }
  return null;
}

function keptHeaders(answer: Answer<unknown>): KeptAnswer['headers'] {
  const { Location } = answer.headers;
  return Location ? { Location } : {};
}

/** The request as one that may be sent again; null without a key, or where nobody is known who could. */
export function repeatableOf(request: Request, caller: Caller): Repeatable | null {
  const key = idempotencyKey(request);
  const credential_id = request.state.credential?.id ?? guestIdOf(request);
  if (key === null || credential_id === null) return null;
  const { organization_id } = caller;
  return {
    // Earlier releases keep the keys of accounts under '': during a deploy both must find them.
    organization_id: organization_id === NO_ORGANIZATION ? '' : organization_id,
    credential_id,
    key,
    fingerprint: fingerprintOf(request),
  };
}

/**
 * A guest repeats requests by path, and token where there is one: the path holds the token, of which the database may hold a
 * hash alone.
 */
function guestIdOf({ path, state }: Request): string | null {
  const kind = state.link ? 'link' : state.organization_id ? 'path' : null;
  return kind && `${kind} ${hash('sha256', path, 'base64url')}`;
}

/** Refusals by a rule of the business are kept like answers: the same request gets the same one for 24 hours. */
function isKept(failure: Failure): boolean {
  return statusOf(failure) === 409 && failure.code !== 'idempotency_key_in_use';
}

async function keepRefusal(
  connection: Connection,
  repeatable: Repeatable,
  failure: Failure,
  request: Request,
  now: Date,
): Promise<void> {
  const language = languageAskedFor(request);
  const body = problemOf(failure, request.state.request_id, language);
  const headers = { 'Content-Language': language, Vary: 'Accept-Language' };
  const { text, values } = keepAnswer(repeatable, { status: 409, headers, body }, [], now);
  await connection.query(text, values);
}
