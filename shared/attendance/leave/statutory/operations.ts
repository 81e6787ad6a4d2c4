import { invalid, unknownReference } from '../../../kernel/failure.ts';
import { newId } from '../../../kernel/id.ts';
import { FACTS_TOGETHER, type Work } from '../../../kernel/work.ts';
import { plainSettings, todayOf } from '../../settings/queries.ts';
import { requireManagement } from '../../sight/people.ts';
import { type GrantToCome, LeaveGrantModel, leaveGrantFacts, STATUTORY_ONCE } from '../grants/record.ts';
import { grantOf, type LeaveGrantRow, toldOfGrant } from '../grants/rows.ts';
import { shownGrants } from '../grants/shown.ts';
import { figuresOf } from '../rules/figures.ts';
import { type DueAsked, type DueGrant, dueGrants } from './due.ts';
import type { StatutoryGranting } from './record.ts';

/**
 * Makes the grants of the law that are missing; answers them, or with `dry_run` what they would be. Owners and admins
 * do this. Errors: `role_required`, `unknown_reference`, `validation_failed`.
 */
export async function grantStatutory(work: Work, input: StatutoryGranting): Promise<GrantToCome[]> {
  requireManagement(work);
  const { member_id, from = null, dry_run, attendance_rate_percent = null } = input;
  const today = await todayOf(work);
  const as_of = input.as_of ?? today;
  if (as_of > today && !dry_run) throw laterThanToday();
  if (member_id !== undefined) await requireHere(work, member_id);
  const asked = {
    member_ids: member_id === undefined ? null : [member_id],
    from,
    as_of,
    attendance_rate_percent,
  };
  if (dry_run) {
    work.nothingChanged();
    return (await dueGrants(work, asked)).map((due) => grantToCome(due, today));
  }
  return shownGrants(work, await makeDue(work, asked));
}

/**
 * The daily granting of an organization, as far as its settings want it: what the law asks for until today, so also what
 * a pause left out. Answers how many grants it made.
 */
export async function grantDaily(work: Work): Promise<number> {
  const { leave } = await plainSettings(work);
  if (!leave.auto_grant) return 0;
  const as_of = await todayOf(work);
  const made = await makeDue(work, { member_ids: null, from: null, as_of, attendance_rate_percent: null });
  return made.length;
}

/**
 * Makes what is due. The rows of its members are locked in the order of their IDs, then it is looked for again: two runs
 * at once make each grant once.
 */
async function makeDue(work: Work, asked: DueAsked): Promise<LeaveGrantRow[]> {
  const member_ids = [...new Set((await dueGrants(work, asked)).map(({ member_id }) => member_id))];
  if (member_ids.length === 0) {
    work.nothingChanged();
    return [];
  }
  await work.connection.query(
    `SELECT FROM attendance_members WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, member_ids],
  );
  work.repeatOn(STATUTORY_ONCE);
  const due = await dueGrants(work, { ...asked, member_ids });
  if (due.length === 0) work.nothingChanged();
  const rows = due.map((one) => rowOf(work, one));
  for (let first = 0; first < rows.length; first += FACTS_TOGETHER) {
    const some = rows.slice(first, first + FACTS_TOGETHER);
    work.insertAll(LeaveGrantModel, some);
    for (const row of some) work.record(leaveGrantFacts.created, { before: null, after: toldOfGrant(row) });
    await work.flushFacts();
  }
  return rows;
}

function rowOf(work: Work, due: DueGrant): LeaveGrantRow {
  const at = work.now.toISOString();
  return {
    id: newId('lgrant', work.now),
    type: 'paid_annual',
    reason: 'statutory',
    note: null,
    created_by: work.actor.user_id,
    external_id: null,
    metadata: {},
    created_at: at,
    updated_at: at,
    ...due,
  };
}

/** A grant that would be made, with the figures of one that nothing was taken of. */
function grantToCome(due: DueGrant, as_of: string): GrantToCome {
  const none = { id: '', created_at: '', updated_at: '', created_by: null, external_id: null, metadata: {} };
  const row: LeaveGrantRow = { ...none, type: 'paid_annual', reason: 'statutory', note: null, ...due };
  const figures = figuresOf(row, [], () => false, { as_of, hours_per_day: 1 });
  return { ...grantOf(row, figures), id: null, created_at: null, updated_at: null };
}

async function requireHere(work: Work, member_id: string): Promise<void> {
  const found = await work.connection.query(
    'SELECT FROM attendance_members WHERE organization_id = $1 AND id = $2',
    [work.organization_id, member_id],
  );
  if (found.length === 0) throw unknownReference('/member_id', member_id);
}

function laterThanToday() {
  return invalid('/as_of', 'too_large', {
    en: 'as_of must not be after today, but with dry_run',
    ja: 'as_of に今日より後の日付を指定できるのは dry_run のときだけです',
  });
}
