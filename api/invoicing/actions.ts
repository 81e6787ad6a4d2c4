import { z } from 'zod';
import { exampleDocument } from '../../shared/invoicing/documents/example.ts';
import { type DocumentKind, kinds, type WrittenKind } from '../../shared/invoicing/documents/kinds.ts';
import type { DocumentRecord } from '../../shared/invoicing/documents/record.ts';
import { documentSchemas } from '../../shared/invoicing/documents/shape.ts';
import { refusalsOf } from '../../shared/invoicing/transitions/allowed.ts';
import { type DocumentAction, transitions } from '../../shared/invoicing/transitions/table.ts';
import type { FailureCode } from '../../shared/kernel/failures.ts';
import { byId } from '../../shared/kernel/schema.ts';
import type { Scope } from '../../shared/kernel/scope.ts';
import type { RecordAction } from '../../shared/platform/batches/action.ts';
import { Answer } from '../http/declaration.ts';
import { type Endpoint, write } from '../http/endpoint.ts';
import { replyOf } from './documents.ts';

type Described = {
  summary: string;
  description: string;
  /** Codes beyond those of the table of transitions. */
  raises?: readonly FailureCode[];
};

/** What is common to all calls that do something to a document. */
export function actionOn(
  kind: WrittenKind,
  action: DocumentAction,
  { scope }: { scope: Scope },
  raises: readonly FailureCode[] = [],
) {
  const { path, prefix } = kinds[kind];
  return {
    id: `invoicing.${path.replaceAll('-', '_')}.${action}`,
    method: 'post',
    path: `/api/v1/${path}/:id/${action}`,
    scope,
    params: byId(prefix),
    raises: [...refusalsOf(kind, action), ...raises],
  } as const;
}

/** The document in the status that an action leads to: `paid` where that follows the payments. */
export function exampleAfter(kind: DocumentKind, action: DocumentAction) {
  const ways = transitions.filter((one) => one.kind === kind && one.action === action);
  const statuses: readonly string[] = kinds[kind].statuses;
  const to = ways.map((way) => way.to).find((status) => statuses.includes(status)) ?? 'paid';
  return { [kind]: exampleDocument(kind, to as never) };
}

/** A call that changes the status of a document and answers it. */
export function changing<Body extends z.ZodType | undefined>(
  kind: WrittenKind,
  action: DocumentAction,
  done: RecordAction<Body, DocumentRecord>,
  { raises, ...described }: Described,
): Endpoint {
  return write({
    ...actionOn(kind, action, done, raises),
    ...described,
    ...(done.body && { body: done.body }),
    reply: z.strictObject({ [kind]: documentSchemas[kind] }),
    example: exampleAfter(kind, action),
    handle: async ({ params, body, mail_limits, bookkeeping, seal }, work) =>
      replyOf(work, kind, await done.act(work, params.id, body as never, { mail_limits, bookkeeping, seal })),
  });
}

/** What documents are converted into. */
const MADE: WrittenKind = 'invoice';

/** A call that makes an invoice of a document and answers that. */
export function makingInvoice<Body extends z.ZodType | undefined>(
  kind: WrittenKind,
  action: DocumentAction,
  done: RecordAction<Body, DocumentRecord>,
  { raises, ...described }: Described,
): Endpoint {
  return write({
    ...actionOn(kind, action, done, raises),
    ...described,
    ...(done.body && { body: done.body }),
    status: 201,
    reply: z.strictObject({ [MADE]: documentSchemas[MADE] }),
    example: { [MADE]: exampleDocument(MADE, 'draft') },
    handle: async ({ params, body, mail_limits, bookkeeping, seal }, work) => {
      const made = await done.act(work, params.id, body as never, { mail_limits, bookkeeping, seal });
      const Location = `/api/v1/${kinds[MADE].path}/${made.id}`;
      return new Answer(201, await replyOf(work, MADE, made), { Location });
    },
  });
}
