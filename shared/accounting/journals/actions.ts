import { Failure, invalid } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import { calendarOf, refusalOf, requireOpenDay } from './calendar.ts';
import { type Context, contextOf } from './context.ts';
import { kindOfMirror } from './kinds.ts';
import { newRow, requireFirstDay } from './operations.ts';
import { posted } from './post.ts';
import { lockEntry } from './queries.ts';
import type { Journal } from './record.ts';
import { accountTypesOf, requireBalanceSheet } from './resolve.ts';
import { type Entry, type JournalRow, standingOf } from './rows.ts';
import { type JournalAction, requireAction } from './transitions.ts';
import { insertEntries, noteApproval, writeEntry } from './write.ts';

/** Asks for an approval of a draft or a rejected entry. Errors: those of the table of transitions. */
export async function submitJournal(work: Work, id: string, comment: string | null): Promise<Journal> {
  const { before, context } = await lockFor(work, id, 'submit');
  const row: JournalRow = {
    ...before.row,
    status: 'submitted',
    round: before.row.round + 1,
    approver_ids: context.settings.approval.user_ids,
    submitted_by: work.actor.user_id,
    submitted_at: work.now.toISOString(),
    approved_by: null,
    approved_at: null,
  };
  noteApproval(work, row, 'submit', comment);
  return writeEntry(work, before, { ...before, row }, context);
}

/** Approves a submitted entry, or rejects it. Errors: those of the table; `validation_failed` to reject without a comment. */
export async function decideJournal(
  work: Work,
  id: string,
  { action, comment }: { action: 'approve' | 'reject'; comment: string | null },
): Promise<Journal> {
  if (action === 'reject' && !comment?.trim()) {
    throw invalid('/comment', 'required', {
      en: 'comment is required to reject an entry',
      ja: '差し戻すには comment を入力してください',
    });
  }
  const { before, context } = await lockFor(work, id, action);
  const by = { approved_by: work.actor.user_id, approved_at: work.now.toISOString() };
  const row: JournalRow =
    action === 'approve'
      ? { ...before.row, status: 'approved', ...by }
      : { ...before.row, status: 'rejected' };
  noteApproval(work, row, action, comment);
  return writeEntry(work, before, { ...before, row }, context);
}

/** Takes an entry back from its approval. Errors: those of the table of transitions, `not_author`. */
export async function withdrawJournal(work: Work, id: string): Promise<Journal> {
  const { before, context } = await lockFor(work, id, 'withdraw');
  const row: JournalRow = { ...before.row, status: 'draft', approved_by: null, approved_at: null };
  noteApproval(work, row, 'withdraw', null);
  return writeEntry(work, before, { ...before, row }, context);
}

/**
 * Posts an entry: it gets its number, counts in the reports and is frozen. Errors: those of the table of transitions,
 * `approval_required`, `has_journal`, those of its day, `not_first_day` and `validation_failed` for an opening entry.
 */
export async function postJournal(work: Work, id: string): Promise<Journal> {
  const { before, context } = await lockFor(work, id, 'post');
  const { date, source_type } = before.row;
  await requireNoOther(work, before.row);
  const calendar = await calendarOf(work, [date]);
  requireOpenDay(work, calendar, { date, source_type });
  if (before.row.kind === 'opening') {
    // Years may have come before it since it was written, and accounts may have another type.
    requireFirstDay(calendar, date, '/date');
    const accounts = before.lines.map(({ account_id }) => account_id);
    requireBalanceSheet(await accountTypesOf(work, accounts), '/lines');
  }
  const [entry] = await posted(work, [before], context);
  return writeEntry(work, before, entry!, context);
}

/** A record has one posted entry; of two that are posted at once the database refuses one. Errors: `has_journal`. */
async function requireNoOther(work: Work, { source_type, source_id }: JournalRow): Promise<void> {
  if (source_id === null) return;
  const [other] = await work.connection.query<{ id: string }>(
    `SELECT id FROM accounting_journals WHERE organization_id = $1 AND source_type = $2 AND source_id = $3
        AND status = 'posted' AND reverses IS NULL`,
    [work.organization_id, source_type, source_id],
  );
  if (other) throw new Failure('has_journal', { members: { journal_id: other.id } });
}

/** A void entry and the mirror that takes it back. */
export type Voided = { journal: Journal; reversal: Journal };

/**
 * Takes a posted entry back by a mirror in the same commit, dated `date`, by default the entry's own day if that is open to
 * the caller, else today. Errors: those of the table of transitions and of the day, `validation_failed` for a day before
 * the entry's, or another than that of an opening entry.
 */
export async function voidJournal(
  work: Work,
  id: string,
  { reason, date }: { reason: string; date?: string | undefined },
): Promise<Voided> {
  const { before, context } = await lockFor(work, id, 'void');
  const { row } = before;
  const day = await dayOfMirror(work, row, date, context);
  const mirror = await mirrorOf(work, before, day);
  const voided: JournalRow = {
    ...row,
    status: 'voided',
    reversed_by: mirror.row.id,
    void_reason: reason,
    voided_by: work.actor.user_id,
    voided_at: work.now.toISOString(),
  };
  const [entry] = await posted(work, [mirror], context);
  const journal = writeEntry(work, before, { ...before, row: voided }, context);
  const [reversal] = insertEntries(work, [entry!], context);
  return { journal, reversal: reversal! };
}

async function dayOfMirror(
  work: Work,
  { date: own, kind, source_type }: JournalRow,
  asked: string | undefined,
  { today }: Context,
): Promise<string> {
  if (asked !== undefined && asked < own) {
    throw invalid('/date', 'too_small', {
      en: `date must be ${own} or later`,
      ja: `date は${own}以降の日付にしてください`,
    });
  }
  if (asked !== undefined && asked !== own && kind === 'opening') {
    throw invalid('/date', 'not_allowed', {
      en: `An opening entry is taken back on its own day, ${own}`,
      ja: `開始残高の仕訳は同じ日付（${own}）で取り消します`,
    });
  }
  const calendar = await calendarOf(work, [asked ?? own, ...(asked === undefined ? [today] : [])]);
  const isOpen = (date: string) => refusalOf(work, calendar, { date, source_type }) === null;
  // Never before the entry, which may be of a day to come.
  const day = asked ?? (isOpen(own) || kind === 'opening' || today < own ? own : today);
  requireOpenDay(work, calendar, { date: day, source_type });
  return day;
}

/** The mirror of an entry on a day, a draft still. */
export async function mirrorOf(work: Work, { row, lines }: Entry, date: string): Promise<Entry> {
  const calendar = await calendarOf(work, [date]);
  const swapped = lines.map((line) => {
    return { ...line, id: newId('jel', work.now), debit: line.credit, credit: line.debit };
  });
  const { description, reference, source_type, source_id, kind, kind_group } = row;
  const fresh = newRow(work, { date, description, reference }, calendar, swapped);
  const mirror: JournalRow = {
    ...fresh,
    kind: kindOfMirror(kind),
    kind_group,
    source_type,
    source_id,
    reverses: row.id,
  };
  return { row: mirror, lines: swapped };
}

/** Locks an entry for an action that its state and the caller allow. Errors: `not_found`, `precondition_failed`. */
async function lockFor(
  work: Work,
  id: string,
  action: JournalAction,
): Promise<{ before: Entry; context: Context }> {
  const [before, context] = await Promise.all([lockEntry(work, id), contextOf(work)]);
  work.precondition(before.row);
  requireAction(standingOf(before.row), action, context.asking);
  return { before, context };
}
