import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import { mirrorOf } from '../journals/actions.ts';
import { contextOf } from '../journals/context.ts';
import { posted } from '../journals/post.ts';
import { lockEntry } from '../journals/queries.ts';
import type { Journal } from '../journals/record.ts';
import { journalOf } from '../journals/rows.ts';
import { insertEntries, writeEntry } from '../journals/write.ts';
import { addPeriodLock, removePeriodLock } from '../locks/operations.ts';
import { lockOfYear } from '../locks/queries.ts';
import { dayAfter, lastDayOfMonths } from '../years/days.ts';
import { addYear, lockCalendar, writeYear } from '../years/operations.ts';
import { allYears, lockBooks, yearById } from '../years/queries.ts';
import type { FiscalYear } from '../years/record.ts';
import { type Blocker, blockersOf, closeBlocked } from './blockers.ts';
import { closingEntry } from './closing-entry.ts';

/** What closing or reopening a year has done, or would do. */
export type Closed = {
  fiscal_year: FiscalYear;
  closing_journal: Journal | null;
  next_fiscal_year: FiscalYear | null;
  blockers: Blocker[];
};

/**
 * Closes a year in one commit: its profit goes to retained earnings by an entry on its last day, a hard lock lies over it,
 * and a year of twelve months follows where none does. What is being posted in it ends first, or is refused. A dry run
 * says what would be done. Errors: `not_found`, `precondition_failed`, `invalid_transition` for a closed one,
 * `close_blocked`, `amount_too_large`.
 */
export async function closeFiscalYear(
  work: Work,
  id: string,
  { dry_run }: { dry_run: boolean },
): Promise<Closed> {
  await lockCalendar(work);
  const before = await yearById(work, id);
  work.precondition(before);
  if (before.status !== 'open') throw wrongState(before, 'close');
  await lockBooks(work, [before]);
  const [years, context] = await Promise.all([allYears(work), contextOf(work)]);
  const next = years.find(({ start_date }) => start_date > before.end_date) ?? null;
  const blockers = await blockersOf(work, before, years, context.settings);
  const { retained_earnings } = context.settings.account_map;
  const entry = retained_earnings === null ? null : await closingEntry(work, before, retained_earnings);
  if (dry_run) {
    work.nothingChanged();
    const closing_journal = entry && journalOf(entry, context);
    return { fiscal_year: before, closing_journal, next_fiscal_year: next, blockers };
  }
  if (blockers.length > 0) throw closeBlocked(blockers);
  const entries = entry ? await posted(work, [entry], context) : [];
  const [closing_journal = null] = insertEntries(work, entries, context);
  addPeriodLock(work, {
    from: before.start_date,
    to: before.end_date,
    level: 'hard',
    scope: 'all',
    fiscal_year_id: id,
  });
  const fiscal_year = writeYear(work, before, {
    ...before,
    status: 'closed',
    closing_journal_id: closing_journal?.id ?? null,
    closed_at: work.now.toISOString(),
    closed_by: work.actor.user_id,
  });
  return { fiscal_year, closing_journal, next_fiscal_year: next ?? followingYear(work, before), blockers };
}

/** Adds the year of twelve months after a year, with the same settings. */
function followingYear(work: Work, { end_date, tax_books, tax_rounding }: FiscalYear): FiscalYear {
  const start_date = dayAfter(end_date);
  const at = work.now.toISOString();
  const year: FiscalYear = {
    id: newId('fy', work.now),
    object: 'accounting.fiscal_year',
    name: `FY${start_date.slice(0, 4)}`,
    start_date,
    end_date: lastDayOfMonths(start_date, 12),
    tax_books,
    tax_rounding,
    status: 'open',
    closing_journal_id: null,
    closed_at: null,
    closed_by: null,
    created_at: at,
    updated_at: at,
  };
  addYear(work, year);
  return year;
}

/**
 * Opens the last closed year again: the mirror of its closing entry is posted, and its lock goes. Errors: `not_found`,
 * `precondition_failed`, `invalid_transition` for an open year, and for one with a closed year after it.
 */
export async function reopenFiscalYear(work: Work, id: string, reason: string): Promise<Closed> {
  await lockCalendar(work);
  const before = await yearById(work, id);
  work.precondition(before);
  const years = await allYears(work);
  const isLast = !years.some(({ status, start_date }) => status === 'closed' && start_date > before.end_date);
  if (before.status !== 'closed' || !isLast) throw wrongState(before, 'reopen');
  const closing =
    before.closing_journal_id === null ? null : await lockEntry(work, before.closing_journal_id);
  await lockBooks(work, [before]);
  const context = await contextOf(work);
  if (closing) {
    const [mirror] = await posted(work, [await mirrorOf(work, closing, before.end_date)], context);
    const { row, lines } = closing;
    const voided = {
      ...row,
      status: 'voided' as const,
      reversed_by: mirror!.row.id,
      void_reason: reason,
      voided_by: work.actor.user_id,
      voided_at: work.now.toISOString(),
    };
    writeEntry(work, closing, { row: voided, lines }, context);
    insertEntries(work, [mirror!], context);
  }
  const lock = await lockOfYear(work, id);
  if (lock) removePeriodLock(work, lock);
  const fiscal_year = writeYear(work, before, {
    ...before,
    status: 'open',
    closing_journal_id: null,
    closed_at: null,
    closed_by: null,
  });
  const next = years.find(({ start_date }) => start_date > before.end_date) ?? null;
  return { fiscal_year, closing_journal: null, next_fiscal_year: next, blockers: [] };
}

function wrongState({ name, status }: FiscalYear, action: 'close' | 'reopen'): Failure {
  const detail =
    action === 'close'
      ? { en: `${name} is ${status} already`, ja: `${name} はすでに締め切られています` }
      : {
          en: `Only the last closed year is reopened; ${name} is ${status}`,
          ja: `締めを解除できるのは最後に締め切った年度だけです（${name}：${status}）`,
        };
  return new Failure('invalid_transition', { detail, members: { current_status: status } });
}
