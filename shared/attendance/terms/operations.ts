import { notFound, unknownReference } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import type { JobResource } from '../../platform/jobs/record.ts';
import { lockMember } from '../members/queries.ts';
import { recalculate } from '../recalculation/operations.ts';
import { requireStatutory } from '../schedules/operations.ts';
import { memberOfPath, requireManagement } from '../sight/people.ts';
import { type TermsRow, termsColumns, termsOf } from './queries.ts';
import { type Terms, type TermsInput, TermsModel, termsFacts, type WorkSystem } from './record.ts';

/**
 * Gives a member terms from a day on; a row of the same day is replaced. Errors: `not_found`, `role_required`,
 * `unknown_reference`, `validation_failed` for a long schedule outside of variable hours.
 */
export async function createTerms(
  work: Work,
  member_id: string,
  input: TermsInput,
): Promise<{ terms: Terms; job: JobResource | null }> {
  await lockForChange(work, member_id);
  await requireSchedule(work, input.schedule_id, input.work_system, '/schedule_id');
  const replaced = await findTerms(work, member_id, 'effective_from', input.effective_from);
  if (replaced) {
    work.remove(TermsModel, replaced.id);
    work.record(termsFacts.deleted, { before: replaced, after: null });
  }
  const at = work.now.toISOString();
  const row: TermsRow = {
    id: newId('term', work.now),
    member_id,
    ...input,
    created_at: at,
    updated_at: at,
  };
  const terms = termsOf(row);
  work.insert(TermsModel, row);
  work.record(termsFacts.created, { before: null, after: terms });
  const job = await recalculate(work, { member_ids: [member_id], from: input.effective_from });
  return { terms, job };
}

/** Takes terms back: those before them go on. Errors: `not_found`, `role_required`, `precondition_failed`. */
export async function deleteTerms(
  work: Work,
  member_id: string,
  id: string,
): Promise<{ job: JobResource | null }> {
  await lockForChange(work, member_id);
  const before = await findTerms(work, member_id, 'id', id);
  if (!before) throw notFound();
  work.precondition(before);
  work.remove(TermsModel, id);
  work.record(termsFacts.deleted, { before, after: null });
  return { job: await recalculate(work, { member_ids: [member_id], from: before.effective_from }) };
}

/** The row of the member is what two changes of their terms at a time wait for. */
async function lockForChange(work: Work, member_id: string): Promise<void> {
  await memberOfPath(work, member_id);
  requireManagement(work);
  await lockMember(work, member_id);
}

async function findTerms(
  { connection, organization_id }: Work,
  member_id: string,
  column: 'id' | 'effective_from',
  value: string,
): Promise<Terms | null> {
  const [row] = await connection.query<TermsRow>(
    `SELECT ${termsColumns.join(', ')} FROM attendance_terms
      WHERE organization_id = $1 AND member_id = $2 AND ${column} = $3 FOR UPDATE`,
    [organization_id, member_id, value],
  );
  return row ? termsOf(row) : null;
}

/**
 * Sees that a schedule exists, stays until the commit, and may be one of this system. Errors: `unknown_reference`,
 * `validation_failed`, both at `path`.
 */
export async function requireSchedule(
  work: Work,
  schedule_id: string | null,
  work_system: WorkSystem,
  path: string,
): Promise<void> {
  if (schedule_id === null) return;
  const [schedule] = await work.connection.query<{ minutes: number }>(
    'SELECT minutes FROM attendance_schedules WHERE organization_id = $1 AND id = $2 FOR SHARE',
    [work.organization_id, schedule_id],
  );
  if (!schedule) throw unknownReference(path, schedule_id);
  if (work_system !== 'variable_monthly') requireStatutory(schedule, path);
}
