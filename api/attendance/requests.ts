import { z } from 'zod';
import { attendanceDay } from '../../shared/attendance/dates.ts';
import { decisionsOn } from '../../shared/attendance/requests/actions.ts';
import type { RequestType } from '../../shared/attendance/requests/kind.ts';
import { cancelRequest, updateRequest } from '../../shared/attendance/requests/life.ts';
import { requestById, requestPage } from '../../shared/attendance/requests/queries.ts';
import { RequestPatch, type RequestRow } from '../../shared/attendance/requests/record.ts';
import { requestStatuses } from '../../shared/attendance/requests/statuses.ts';
import { type RequestAction, refusalsOf } from '../../shared/attendance/requests/transitions.ts';
import type { FailureCode } from '../../shared/kernel/failures.ts';
import { byId, id } from '../../shared/kernel/schema.ts';
import type { Work } from '../../shared/kernel/work.ts';
import type { Batch } from '../../shared/platform/batches/batch.ts';
import { batchOf } from '../http/batches.ts';
import { type Endpoint, read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { manyOf } from '../http/look-ups.ts';
import { resource } from '../http/resource.ts';
import { requireSpan } from './span.ts';

type Described<Row extends RequestRow, Shown, Body extends z.ZodType> = {
  type: RequestType<Row, Shown>;
  batch: Batch;
  /** Its records as the API shows them. */
  schema: z.ZodType<Shown, Shown>;
  /** With the article: `a leave request`. */
  one: string;
  list: { description: string; filters?: z.ZodRawShape };
  get: { description: string };
  create: {
    summary: string;
    description: string;
    body: Body;
    raises: readonly FailureCode[];
    make: (work: Work, input: z.output<Body>) => Promise<Shown>;
  };
  approve: { description: string; raises: readonly FailureCode[] };
  cancel: { description: string };
};

const SEEN =
  'Of members whose days you may read: all for owners and admins, the departments that they manage for managers, and your own.';
const SCOPES = 'The call asks for `attendance:write` too.';

/** The calls about one kind of request: the life of all of them is the same. */
export function requestCalls<Row extends RequestRow, Shown, Body extends z.ZodType>(
  described: Described<Row, Shown, Body>,
): Endpoint[] {
  const { type, batch, schema, one } = described;
  const name = `${type.kind}s`;
  const path = `/api/v1/attendance/${name.replaceAll('_', '-')}`;
  const request = resource({
    id: `attendance.${name}`,
    path,
    domain: 'attendance',
    one,
    prefix: type.records.prefix,
  });
  const reply = z.strictObject({ [type.kind]: schema });
  const replyOf = async (shown: Promise<Shown>) => ({ [type.kind]: await shown });
  const decisions = decisionsOn(type);
  const action = <const Action extends RequestAction>(action: Action) =>
    ({
      id: `attendance.${name}.${action}`,
      method: 'post',
      path: `${path}/:id/${action}`,
      params: byId(type.records.prefix),
      reply,
    }) as const;
  const requests = list({
    ...request.list,
    summary: `List ${name.replaceAll('_', ' ')}`,
    description: `${SEEN} ${described.list.description}`,
    item: schema,
    looked_up: type.records,
    filters: z.object({
      status: manyOf(z.enum(requestStatuses))
        .describe('Several with commas.')
        .meta({ examples: ['pending,approved'] })
        .optional(),
      ...described.list.filters,
      from: attendanceDay().optional(),
      to: attendanceDay().optional(),
      member_id: id('mem').optional(),
      department_id: id('dept').describe('A department with all below it.').optional(),
    }),
    sorts: Object.keys(type.sorts),
    handle: async ({ filters, window }, reader) => {
      requireSpan(filters);
      return requestPage(reader, type, filters, window);
    },
  });
  return [
    requests,
    batchOf(requests, batch),
    read({
      ...request.get,
      description: described.get.description,
      reply,
      handle: ({ params }, reader) => replyOf(requestById(reader, type, params.id)),
    }),
    write({
      ...request.create,
      summary: described.create.summary,
      description: described.create.description,
      body: described.create.body,
      reply,
      raises: [
        'role_required',
        'unknown_reference',
        'already_exists',
        'month_locked',
        ...described.create.raises,
      ],
      handle: ({ body }, work) => replyOf(described.create.make(work, body as z.output<Body>)),
    }),
    write({
      ...request.update,
      description: 'Your own IDs alone: a request itself is cancelled and filed anew.',
      body: RequestPatch,
      reply,
      raises: ['already_exists'],
      handle: ({ params, body }, work) => replyOf(updateRequest(work, type, params.id, body)),
    }),
    write({
      ...action('approve'),
      scope: decisions.approve.scope,
      summary: `Approve ${one}`,
      description: `Not your own, but as the only owner or with \`allow_self_approval\`. ${described.approve.description} ${SCOPES}`,
      body: decisions.approve.body!.optional(),
      raises: [...refusalsOf(type.kind, 'approve'), 'month_locked', ...described.approve.raises],
      handle: ({ params, body = { comment: null }, ...given }, work) =>
        replyOf(decisions.approve.act(work, params.id, body, given)),
    }),
    write({
      ...action('reject'),
      scope: decisions.reject.scope,
      summary: `Reject ${one}`,
      description: `The member is told by mail, with the comment. ${SCOPES}`,
      body: decisions.reject.body!,
      raises: refusalsOf(type.kind, 'reject'),
      handle: ({ params, body, ...given }, work) =>
        replyOf(decisions.reject.act(work, params.id, body, given)),
    }),
    write({
      ...action('cancel'),
      scope: 'attendance:write',
      summary: `Take ${one} back`,
      description: described.cancel.description,
      raises: [...refusalsOf(type.kind, 'cancel'), ...(type.loseEffect ? (['month_locked'] as const) : [])],
      handle: ({ params }, work) => replyOf(cancelRequest(work, type, params.id)),
    }),
  ];
}
