import { Failure, invalid } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import { allYears, lockBooks } from '../years/queries.ts';
import { lockPeriodLock } from './queries.ts';
import { type PeriodLock, type PeriodLockInput, PeriodLockModel, periodLockFacts } from './record.ts';

/** A lock, and how many entries of its days are not posted. */
export type Locked = { period_lock: PeriodLock; unposted_count: number };

/**
 * Locks days against changes of entries. What is being posted on them ends first, or is refused. Errors:
 * `validation_failed`.
 */
export async function createPeriodLock(work: Work, input: PeriodLockInput): Promise<Locked> {
  const { from = null, to } = input;
  if (from !== null && from > to) {
    throw invalid('/from', 'too_large', {
      en: 'from must not be after to',
      ja: 'from は to 以前の日付で指定してください',
    });
  }
  const lock = addPeriodLock(work, { ...input, fiscal_year_id: null });
  await lockBooks(work, await yearsWithin(work, lock));
  const [counted] = await work.connection.query<{ count: number }>(
    `SELECT count(*) FROM accounting_journals
      WHERE organization_id = $1 AND posted_at IS NULL AND date <= $2 AND ($3::date IS NULL OR date >= $3)`,
    [work.organization_id, to, from],
  );
  return { period_lock: lock, unposted_count: counted!.count };
}

/** Keeps a new lock, and says so. */
export function addPeriodLock(
  work: Work,
  { from, to, level, scope, reason, fiscal_year_id }: PeriodLockInput & { fiscal_year_id: string | null },
): PeriodLock {
  const at = work.now.toISOString();
  const lock: PeriodLock = {
    id: newId('lock', work.now),
    object: 'accounting.period_lock',
    from: from ?? null,
    to,
    level: level ?? 'soft',
    scope: scope ?? 'all',
    reason: reason ?? null,
    fiscal_year_id,
    created_by: work.actor.user_id,
    created_at: at,
    updated_at: at,
  };
  const { object, ...row } = lock;
  work.insert(PeriodLockModel, row);
  work.record(periodLockFacts.created, { before: null, after: lock });
  return lock;
}

/** Removes a lock. Errors: `not_found`, `precondition_failed`, `fiscal_year_closed` for that of a closed year. */
export async function deletePeriodLock(work: Work, id: string): Promise<void> {
  const before = await lockPeriodLock(work, id);
  work.precondition(before);
  if (before.fiscal_year_id !== null) {
    const detail = {
      en: `The lock belongs to ${before.fiscal_year_id}, which is closed; reopen the year instead`,
      ja: `締め切った年度 ${before.fiscal_year_id} のロックです。年度の締めを解除してください`,
    };
    throw new Failure('fiscal_year_closed', { detail, members: { fiscal_year_id: before.fiscal_year_id } });
  }
  removePeriodLock(work, before);
}

/** Removes a locked lock, and says so. */
export function removePeriodLock(work: Work, lock: PeriodLock): void {
  work.remove(PeriodLockModel, lock.id);
  work.record(periodLockFacts.deleted, { before: lock, after: null });
}

async function yearsWithin(work: Work, { from, to }: PeriodLock) {
  const years = await allYears(work);
  return years.filter((year) => year.start_date <= to && (from === null || year.end_date >= from));
}
