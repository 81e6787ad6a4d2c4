import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import type { Period } from '../days/types.ts';
import { lockNamedMember } from '../members/queries.ts';
import type { MemberRow } from '../members/row.ts';
import { refreshAround } from '../records/figures.ts';
import { memberOfBody } from '../sight/people.ts';
import { requireUnblocked } from './blocking.ts';
import { requireOpenMonth } from './closed.ts';
import { askingAbout } from './deciding.ts';
import { queueDecisionMails } from './decision-mail.ts';
import { dropSnapshot, keepSnapshot, type Snapshot, snapshotOf } from './freeze.ts';
import { keepLeaveDays, releaseLeaveDays } from './leave-days.ts';
import { earlierOpen, earlierUnconfirmed, periodToClose } from './periods.ts';
import {
  type Submission,
  type SubmissionInput,
  SubmissionModel,
  type SubmissionPatch,
  type SubmissionRow,
  submissionFacts,
} from './record.ts';
import { lockSubmission, submissionOfMonth, toldOf, withLaterClosed } from './rows.ts';
import { shownAfter } from './shown.ts';
import { requireAction, type SubmissionAction } from './transitions.ts';

/**
 * Closes the month of a member, oneself unless another one is named: its days are frozen behind the lock that punches take,
 * and stay so until it is returned or reopened. One that was opened again keeps its ID. Errors: `role_required`,
 * `unknown_reference`, `validation_failed`, `invalid_transition`, `period_open`, `earlier_period_open`, `month_locked`,
 * `submission_blocked`.
 */
export async function submitMonth(
  work: Work,
  input: SubmissionInput,
): Promise<{ submission: Submission; is_new: boolean }> {
  const { id: member_id } = await memberOfBody(work, input.member_id);
  const member = await lockNamedMember(work, member_id);
  const before = await submissionOfMonth(work, member_id, input.month);
  await requireAllowed(work, 'submit', before ?? null, member);
  const period = await periodToClose(work, input.month, member);
  const [earlier] = (await earlierUnconfirmed(work, [{ member_id, period_start: period.start }])).values();
  if (earlier) throw earlierOpen(earlier);
  // After a change of the closing day two months may share dates, one of which was closed before the change.
  await requireOpenMonth(work, member_id, { from: period.start, to: period.end });
  const snapshot = await snapshotOf(work, member_id, period);
  await requireUnblocked(work, member_id, snapshot, input.accept_absences);
  await keepLeaveDays(work, member_id, period);
  const row = closed(work, member_id, before ?? null, input, snapshot);
  await work.flush();
  keepSnapshot(work, { id: row.id, revision: row.frozen_revision! }, snapshot);
  return { submission: await shownAfter(work, row), is_new: before === undefined };
}

/** Writes a submission that closes a period, the first one of its month or one that was opened. */
function closed(
  work: Work,
  member_id: string,
  before: SubmissionRow | null,
  { month, comment, external_id, metadata }: SubmissionInput,
  { period, totals, limits }: Snapshot,
): SubmissionRow {
  const at = work.now.toISOString();
  const changed = {
    period_start: period.start,
    period_end: period.end,
    status: 'submitted' as const,
    frozen_revision: (before?.revision ?? 0) + 1,
    comment,
    submitted_by: work.actor.user_id,
    submitted_at: at,
    totals: totals as Submission['totals'],
    limits: limits as Submission['limits'],
    external_id: external_id === undefined ? (before?.external_id ?? null) : external_id,
    metadata: metadataAfter(before?.metadata ?? {}, metadata),
  };
  if (before) return saveSubmission(work, before, { ...before, ...changed });
  const row: SubmissionRow = {
    id: newId('msub', work.now),
    member_id,
    month,
    revision: 0,
    confirmed_by: null,
    confirmed_at: null,
    ...changed,
    created_at: at,
    updated_at: at,
  };
  work.insert(SubmissionModel, row);
  work.record(submissionFacts.created, { before: null, after: toldOf(row) });
  return row;
}

/** Gives a submitted month back, with a comment for the member; its days are open again. Errors: `not_found`, those of the table. */
export async function returnMonth(work: Work, id: string, comment: string): Promise<Submission> {
  const { row, member } = await lockFor(work, id, 'return');
  dropSnapshot(work, id, row.frozen_revision!);
  return opened(work, row, member, 'returned', comment);
}

/** Opens a confirmed month; the revision that was confirmed is kept. Errors: `not_found`, those of the table. */
export async function reopenMonth(work: Work, id: string, comment: string): Promise<Submission> {
  const { row, member } = await lockFor(work, id, 'reopen');
  return opened(work, row, member, 'reopened', comment);
}

/** Opens a period: its days follow from what holds now, as do those after them that were counted with frozen ones. */
async function opened(
  work: Work,
  row: SubmissionRow,
  member: MemberRow,
  status: 'returned' | 'reopened',
  comment: string,
): Promise<Submission> {
  const after = saveSubmission(work, row, { ...row, status, frozen_revision: null, comment });
  const period: Period = { month: row.month, start: row.period_start, end: row.period_end };
  releaseLeaveDays(work, row.member_id, period);
  await refreshAround(work, row.member_id, { from: period.start, to: period.end });
  await queueDecisionMails(work, [{ row: after, member }]);
  return shownAfter(work, after);
}

/** Changes what a client's own systems keep with a submission. Errors: `not_found`, `precondition_failed`, `frozen`. */
export async function updateSubmission(work: Work, id: string, patch: SubmissionPatch): Promise<Submission> {
  const { row } = await lockSubmission(work, id);
  work.precondition(row);
  if (row.status === 'confirmed') throw new Failure('submission_frozen');
  const changed: SubmissionRow = {
    ...row,
    external_id: patch.external_id === undefined ? row.external_id : patch.external_id,
    metadata: metadataAfter(row.metadata, patch.metadata),
  };
  const isSame = work.isSame(submissionFacts.updated, toldOf(row), toldOf(changed));
  return shownAfter(work, isSame ? row : saveSubmission(work, row, changed));
}

/** The locked submission of a path and its member, for an action that the table lets through. */
async function lockFor(work: Work, id: string, action: SubmissionAction) {
  const { row, member } = await lockSubmission(work, id);
  work.precondition(row);
  await requireAllowed(work, action, row, member);
  return { row, member };
}

/** Errors: those of the table. */
async function requireAllowed(
  work: Work,
  action: SubmissionAction,
  row: SubmissionRow | null,
  member: MemberRow,
): Promise<void> {
  const [about, later] = await Promise.all([askingAbout(work), withLaterClosed(work, row ? [row] : [])]);
  const standing = {
    kind: 'submission' as const,
    status: row?.status ?? ('none' as const),
    member_user_id: member.user_id,
    has_later_closed: row !== null && later.has(row.id),
  };
  requireAction(standing, action, about(member));
}

/** Keeps what a change made of a locked submission, and says so. */
export function saveSubmission(work: Work, before: SubmissionRow, changed: SubmissionRow): SubmissionRow {
  const after = { ...changed, updated_at: work.touch(before) };
  const { id, member_id, month, created_at, ...columns } = after;
  work.update(SubmissionModel, id, columns);
  work.record(submissionFacts.updated, { before: toldOf(before), after: toldOf(after) });
  return after;
}
