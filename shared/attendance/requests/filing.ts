import { newId } from '../../kernel/id.ts';
import { type MetadataChanges, metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import type { Dates } from '../days/reach.ts';
import { notEmployed } from '../leave/refusals.ts';
import { lockNamedMember } from '../members/queries.ts';
import { memberOfBody, type Person } from '../sight/people.ts';
import { requireOpenMonth } from '../submissions/closed.ts';
import type { RequestType } from './kind.ts';
import { shownAfter } from './life.ts';
import type { RequestRow } from './record.ts';
import { toldOf } from './rows.ts';

/**
 * The member that a new request is for, employed on its days. The row of the member is locked, so two requests at once see
 * each other. Errors: `role_required`, `unknown_reference`, `validation_failed`, `month_locked`, `not_employed`.
 */
export async function lockSubject(
  work: Work,
  member_id: string | undefined,
  { from, to }: Dates,
): Promise<Person> {
  const person = await memberOfBody(work, member_id);
  const { hired_on, left_on } = await lockNamedMember(work, person.id);
  await requireOpenMonth(work, person.id, { from, to });
  if (hired_on !== null && from < hired_on) throw notEmployed(from);
  if (left_on !== null && to > left_on) throw notEmployed(to);
  return person;
}

/** What a new request has whatever it asks for. */
export function newRequest<Row extends RequestRow>(
  work: Work,
  { records }: RequestType<Row, unknown>,
  { id: member_id }: Person,
  input: { reason: string | null; external_id?: string | null; metadata?: MetadataChanges },
): RequestRow {
  const at = work.now.toISOString();
  return {
    id: newId(records.prefix, work.now),
    member_id,
    reason: input.reason,
    status: 'pending',
    approver_id: null,
    decided_at: null,
    decision_comment: null,
    created_by: work.actor.user_id,
    external_id: input.external_id ?? null,
    metadata: metadataAfter({}, input.metadata),
    created_at: at,
    updated_at: at,
  };
}

/** Writes a new request, and answers it. */
export function fileRequest<Row extends RequestRow, Shown>(
  work: Work,
  type: RequestType<Row, Shown>,
  row: Row,
): Promise<Shown> {
  work.insert(type.model, row);
  work.record(type.facts.created, { before: null, after: toldOf(type, row) });
  return shownAfter(work, type, row);
}
