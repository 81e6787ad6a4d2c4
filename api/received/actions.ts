import type { z } from 'zod';
import type { FailureCode } from '../../shared/kernel/failures.ts';
import { byId } from '../../shared/kernel/schema.ts';
import type { Scope } from '../../shared/kernel/scope.ts';
import type { RecordAction } from '../../shared/platform/batches/action.ts';
import { kinds, type ReceivedKind } from '../../shared/received/documents/kinds.ts';
import type { ReceivedDocument } from '../../shared/received/documents/record.ts';
import { refusalsOf } from '../../shared/received/transitions/allowed.ts';
import type { ReceivedAction } from '../../shared/received/transitions/table.ts';
import { type Endpoint, write } from '../http/endpoint.ts';
import { receivedReply, receivedReplySchema } from './documents.ts';

type Described = {
  summary: string;
  description: string;
  /** Codes beyond those of the table of transitions. */
  raises?: readonly FailureCode[];
};

/** What is common to all calls that do something to a received document. */
export function actionOn(
  kind: ReceivedKind,
  action: ReceivedAction,
  { scope }: { scope: Scope },
  raises: readonly FailureCode[] = [],
) {
  const { path, prefix, resource } = kinds[kind];
  return {
    id: `received.${resource}.${action}`,
    method: 'post',
    path: `/api/v1/${path}/:id/${action}`,
    scope,
    params: byId(prefix),
    raises: [...refusalsOf(kind, action), ...raises],
  } as const;
}

/** A call that changes the status of a received document and answers it. */
export function changing<Body extends z.ZodType | undefined>(
  kind: ReceivedKind,
  action: ReceivedAction,
  done: RecordAction<Body, ReceivedDocument>,
  { raises, ...described }: Described,
): Endpoint {
  return write({
    ...actionOn(kind, action, done, raises),
    ...described,
    ...(done.body && { body: done.body }),
    reply: receivedReplySchema(kind),
    handle: async ({ params, body, mail_limits, bookkeeping, seal }, work) =>
      receivedReply(work, await done.act(work, params.id, body as never, { mail_limits, bookkeeping, seal })),
  });
}
