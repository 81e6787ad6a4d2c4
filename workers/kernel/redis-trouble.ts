import { ReplyError } from 'ioredis';
import { reasonOf } from '../../shared/kernel/reason.ts';

/** The engine was reached and refused: it is full (`maxmemory`), a replica, or its user may not do this. */
export class EngineRefusal extends Error {}

/**
 * The error of a command in words for the log and for operators. `connection_error` is what broke the connection, if it
 * is broken: it says more than that one try of the command was not enough. An error that Redis itself replied with
 * becomes an `EngineRefusal`; everything else means that there was no reply.
 */
export function redisTrouble(cause: unknown, connection_error: Error | undefined): Error {
  const reason = connection_error ?? cause;
  if (reason instanceof ReplyError) return new EngineRefusal(`Redis refuses: ${reasonOf(reason)}`, { cause });
  return new Error(`Redis does not answer: ${reasonOf(reason)}`, { cause });
}
