import { recordAction } from '../../platform/batches/action.ts';
import { type Batch, batch } from '../../platform/batches/batch.ts';
import type { RequestType } from './kind.ts';
import { approveRequest, rejectRequest } from './life.ts';
import { requestList } from './queries.ts';
import { Approval, Rejection, type RequestRow } from './record.ts';

/** What is done to one request by its call, and to many by a batch. */
export function decisionsOn<Row extends RequestRow, Shown>(type: RequestType<Row, Shown>) {
  return {
    approve: recordAction({
      scope: 'approvals:write',
      body: Approval,
      act: (work, id, { comment }) => approveRequest(work, type, id, comment),
    }),
    reject: recordAction({
      scope: 'approvals:write',
      body: Rejection,
      act: (work, id, { comment }) => rejectRequest(work, type, id, comment),
    }),
  };
}

/** What can be done to many requests of a kind by one call. */
export function decisionBatch<Row extends RequestRow, Shown>(type: RequestType<Row, Shown>): Batch {
  return batch({
    name: `attendance.${type.kind}s`,
    prefix: type.records.prefix,
    list: (reader, filters, window) => requestList(reader, type, filters, window),
    actions: decisionsOn(type),
  });
}
