import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import { memberOfPath } from '../sight/people.ts';
import { requireOpenMonth } from '../submissions/closed.ts';
import { askingOf } from './deciding.ts';
import type { RequestType } from './kind.ts';
import type { RequestPatch, RequestRow } from './record.ts';
import { lockRequest, toldOf } from './rows.ts';
import { standingOf } from './shown.ts';
import { type RequestAction, requireAction } from './transitions.ts';

/** Approves a request. Errors: `not_found`, `month_locked`, those of the table and of the kind. */
export async function approveRequest<Row extends RequestRow, Shown>(
  work: Work,
  type: RequestType<Row, Shown>,
  id: string,
  comment: string | null,
): Promise<Shown> {
  const before = await lockFor(work, type, id, 'approve');
  await requireOpenMonth(work, before.member_id, type.datesOf(before));
  await type.requireApprovable?.(work, before);
  const after = decide(work, type, before, 'approved', comment);
  await type.tell(work, after);
  await type.takeEffect(work, after);
  return shownAfter(work, type, after);
}

/** Rejects a request, with a comment for the member. Errors: `not_found`, those of the table. */
export async function rejectRequest<Row extends RequestRow, Shown>(
  work: Work,
  type: RequestType<Row, Shown>,
  id: string,
  comment: string,
): Promise<Shown> {
  const before = await lockFor(work, type, id, 'reject');
  const after = decide(work, type, before, 'rejected', comment);
  await type.tell(work, after);
  return shownAfter(work, type, after);
}

/** Takes a request back. Errors: `not_found`, those of the table, `month_locked` for an approved one. */
export async function cancelRequest<Row extends RequestRow, Shown>(
  work: Work,
  type: RequestType<Row, Shown>,
  id: string,
): Promise<Shown> {
  const before = await lockFor(work, type, id, 'cancel');
  if (before.status === 'approved') await requireOpenMonth(work, before.member_id, type.datesOf(before));
  const after = save(work, type, before, { ...before, status: 'cancelled' });
  if (before.status === 'approved') await type.loseEffect?.(work, after);
  return shownAfter(work, type, after);
}

/** Changes what a client's own systems keep with a request. Errors: `not_found`, `precondition_failed`. */
export async function updateRequest<Row extends RequestRow, Shown>(
  work: Work,
  type: RequestType<Row, Shown>,
  id: string,
  patch: RequestPatch,
): Promise<Shown> {
  const before = await lockRequest(work, type, id);
  work.precondition(before);
  const changed: Row = {
    ...before,
    external_id: patch.external_id === undefined ? before.external_id : patch.external_id,
    metadata: metadataAfter(before.metadata, patch.metadata),
  };
  const isSame = work.isSame(type.facts.updated, toldOf(type, before), toldOf(type, changed));
  return shownAfter(work, type, isSame ? before : save(work, type, before, changed));
}

/** A request as it is shown once the work's rows are there. */
export async function shownAfter<Row extends RequestRow, Shown>(
  work: Work,
  type: RequestType<Row, Shown>,
  row: Row,
): Promise<Shown> {
  await work.flush();
  return (await type.show(work, [row]))[0]!;
}

/** The locked request of a path, for an action that the table lets through. */
async function lockFor<Row extends RequestRow>(
  work: Work,
  type: RequestType<Row, unknown>,
  id: string,
  action: RequestAction,
): Promise<Row> {
  const row = await lockRequest(work, type, id);
  work.precondition(row);
  const [person, { about }] = await Promise.all([memberOfPath(work, row.member_id), askingOf(work)]);
  const standing = standingOf({ kind: type.kind, first_day: type.datesOf(row).from }, row, person.user_id);
  requireAction(standing, action, about(person));
  return row;
}

function decide<Row extends RequestRow>(
  work: Work,
  type: RequestType<Row, unknown>,
  before: Row,
  status: 'approved' | 'rejected',
  decision_comment: string | null,
): Row {
  const approver_id = work.actor.user_id;
  const decided_at = work.now.toISOString();
  return save(work, type, before, { ...before, status, approver_id, decided_at, decision_comment });
}

function save<Row extends RequestRow>(
  work: Work,
  type: RequestType<Row, unknown>,
  before: Row,
  changed: Row,
): Row {
  const after = { ...changed, updated_at: work.touch(before) };
  const { id, created_at, ...columns } = after;
  work.update(type.model, id, columns);
  work.record(type.facts.updated, { before: toldOf(type, before), after: toldOf(type, after) });
  return after;
}
