import { AsyncLocalStorage } from 'node:async_hooks';
import type { Connection } from '../../shared/kernel/connection.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { personActor } from '../../shared/platform/access/sessions/operations.ts';
import { forAccount, type Steps } from '../http/steps.ts';

/** One request on its way through better-auth, which passes nothing of it on to the adapter and the callbacks. */
export type Call = {
  steps: Steps;
  /** The transaction that is open at the moment. */
  work: Work | null;
  /** The hash of the password that the request sends, made before a connection is taken. */
  password_hash: string | null;
  /** The stored hash that the sent password was compared with. */
  proven_hash: string | null;
  /** What went wrong in the database: better-auth swallows or renames some errors. */
  error: unknown;
};

const calls = new AsyncLocalStorage<Call>();

/** Runs better-auth for one request. */
export function duringCall<T>(call: Call, run: () => Promise<T>): Promise<T> {
  return calls.run(call, run);
}

/** The request that is under way. */
export function currentCall(): Call {
  const call = calls.getStore();
  if (!call) throw new Error('better-auth was called outside of a request');
  return call;
}

/** Runs a step of the database and keeps its error for the answer. */
export async function remembering<T>(run: (call: Call) => Promise<T>): Promise<T> {
  const call = currentCall();
  try {
    return await run(call);
  } catch (error) {
    call.error ??= error;
    throw error;
  }
}

/** Lends the connection of the open transaction, or one for this step alone. */
export function onConnection<T>(run: (connection: Connection) => Promise<T>): Promise<T> {
  return remembering(({ work, steps }) =>
    work ? run(work.connection) : steps.read(({ connection }) => run(connection)),
  );
}

/** Runs steps in one transaction, that of the request where one is open. */
export function inTransaction<T>(actor_id: string | null, run: (work: Work) => Promise<T>): Promise<T> {
  return remembering(async (call) => {
    if (call.work) return run(call.work);
    const actor = actor_id === null ? call.steps.caller.actor : personActor(actor_id);
    return call.steps.write({ ...forAccount, actor }, async (work) => {
      call.work = work;
      try {
        return await run(work);
      } finally {
        call.work = null;
      }
    });
  });
}
