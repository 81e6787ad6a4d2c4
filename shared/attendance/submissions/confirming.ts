import { Failure } from '../../kernel/failure.ts';
import type { FailureCode } from '../../kernel/failures.ts';
import type { Work } from '../../kernel/work.ts';
import { type MemberRow, memberColumns } from '../members/row.ts';
import { isSeen, sightOf } from '../sight/sight.ts';
import { askingAbout } from './deciding.ts';
import { queueDecisionMails } from './decision-mail.ts';
import { saveSubmission } from './operations.ts';
import { earlierKey, earlierOpen, earlierUnconfirmed } from './periods.ts';
import { PeriodRevisionModel, type Submission, type SubmissionRow } from './record.ts';
import { lockSubmission, rowsOf } from './rows.ts';
import { shownAfter } from './shown.ts';
import { requireAction } from './transitions.ts';

/** A locked submission with its member, also locked. */
type Locked = { row: SubmissionRow; member: MemberRow };

/**
 * Confirms a submitted month: what it was closed with becomes a revision for good. Errors: `not_found`,
 * `precondition_failed`, `earlier_period_open`, those of the table.
 */
export async function confirmMonth(work: Work, id: string): Promise<Submission> {
  const locked = await lockSubmission(work, id);
  work.precondition(locked.row);
  const requireConfirmable = await judgeOf(work, [locked.row]);
  requireConfirmable(locked);
  const [row] = await confirmAll(work, [locked]);
  return shownAfter(work, row!);
}

/** What became of one of many: the failure that its own call would have answered; null: it is confirmed. */
export type Confirmed = { id: string; failure: FailureCode | null };

/**
 * Confirms many months, each as if it were sent alone, in one transaction: all members are locked first, in the order of
 * their IDs. Answers in the order of the IDs.
 */
export async function confirmMonths(work: Work, ids: readonly string[]): Promise<Confirmed[]> {
  const members = await lockMembers(work, await rowsOf(work, ids));
  const rows = await rowsOf(work, ids, 'FOR NO KEY UPDATE');
  const [sight, requireConfirmable] = await Promise.all([sightOf(work), judgeOf(work, rows)]);
  const seen = new Map(
    rows.flatMap((row): [string, Locked][] => {
      const member = members.get(row.member_id);
      return member && isSeen(sight, member) ? [[row.id, { row, member }]] : [];
    }),
  );
  const chosen: Locked[] = [];
  const items = ids.map((id) =>
    outcomeOf(id, () => {
      const locked = seen.get(id);
      if (!locked) throw new Failure('not_found');
      requireConfirmable(locked);
      chosen.push(locked);
      // One that is named again is confirmed by then.
      seen.set(id, { ...locked, row: { ...locked.row, status: 'confirmed' } });
    }),
  );
  await confirmAll(work, chosen);
  if (chosen.length === 0) work.nothingChanged();
  return items;
}

function outcomeOf(id: string, choose: () => void): Confirmed {
  try {
    choose();
    return { id, failure: null };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { id, failure: error.code };
  }
}

/** What sees that a locked submission can be confirmed; all that it looks at is read at once for some of them. */
async function judgeOf(work: Work, rows: readonly SubmissionRow[]): Promise<(locked: Locked) => void> {
  const [about, earlier] = await Promise.all([askingAbout(work), earlierUnconfirmed(work, rows)]);
  return ({ row, member }) => {
    const standing = {
      kind: 'submission' as const,
      status: row.status,
      member_user_id: member.user_id,
      has_later_closed: false,
    };
    requireAction(standing, 'confirm', about(member));
    const open = earlier.get(earlierKey(row));
    if (open) throw earlierOpen(open);
  };
}

/** Writes what confirms submissions, and asks for the mails that tell of it. */
async function confirmAll(work: Work, chosen: readonly Locked[]): Promise<SubmissionRow[]> {
  const confirmed_by = work.actor.user_id;
  const confirmed_at = work.now.toISOString();
  work.run(
    `UPDATE ${PeriodRevisionModel.tableName} AS kept SET confirmed_by = $4, confirmed_at = $5
       FROM unnest($2::text[], $3::integer[]) AS chosen (submission_id, revision)
      WHERE kept.organization_id = $1 AND kept.submission_id = chosen.submission_id
        AND kept.revision = chosen.revision`,
    [
      work.organization_id,
      chosen.map(({ row }) => row.id),
      chosen.map(({ row }) => row.frozen_revision),
      confirmed_by,
      confirmed_at,
    ],
  );
  const confirmed = chosen.map(({ row, member }) => {
    const revision = row.frozen_revision!;
    const changed = { ...row, status: 'confirmed' as const, revision, confirmed_by, confirmed_at };
    return { row: saveSubmission(work, row, changed), member };
  });
  await queueDecisionMails(work, confirmed);
  return confirmed.map(({ row }) => row);
}

/** Locks the members of some submissions in the order of their IDs. */
async function lockMembers(
  { connection, organization_id }: Work,
  rows: readonly SubmissionRow[],
): Promise<Map<string, MemberRow>> {
  const members = await connection.query<MemberRow>(
    `SELECT ${memberColumns.join(', ')} FROM attendance_members
      WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE`,
    [organization_id, rows.map(({ member_id }) => member_id)],
  );
  return new Map(members.map((row) => [row.id, row]));
}
