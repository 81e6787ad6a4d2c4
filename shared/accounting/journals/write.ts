import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import type { Context } from './context.ts';
import {
  ApprovalModel,
  type Journal,
  type JournalApproval,
  JournalModel,
  journalFacts,
  LineModel,
} from './record.ts';
import { columnsOfJournal, columnsOfLines, type Entry, type JournalRow, journalOf } from './rows.ts';

/** Keeps new entries with their lines, and says so. Answers them as the API shows them. */
export function insertEntries(work: Work, entries: readonly Entry[], context: Context): Journal[] {
  work.insertAll(
    JournalModel,
    entries.map(({ row }) => columnsOfJournal(row)),
  );
  work.insertAll(LineModel, entries.flatMap(columnsOfLines));
  return entries.map((entry) => {
    const journal = journalOf(entry, context);
    work.record(journalFacts.created, { before: null, after: journal });
    return journal;
  });
}

/** Keeps what a change made of a locked entry, and says so; lines that stay as they are are not written. */
export function writeEntry(work: Work, before: Entry, changed: Entry, context: Context): Journal {
  const shown_before = journalOf(before, context);
  const shown = journalOf(changed, context);
  if (work.isSame(journalFacts.updated, shown_before, shown)) return shown;
  const row: JournalRow = { ...changed.row, updated_at: work.touch(before.row) };
  const after = { ...shown, updated_at: row.updated_at };
  const isPosted = before.row.number === null && row.number !== null;
  const { id, created_at, ...columns } = columnsOfJournal(row);
  if (isPosted) {
    // The trigger lets the transaction that posts write the lines, whichever made the draft.
    work.run(
      'UPDATE accounting_journals SET posted_in = pg_current_xact_id() WHERE organization_id = $1 AND id = $2',
      [work.organization_id, row.id],
    );
  }
  work.update(JournalModel, row.id, columns);
  const values = [work.organization_id, row.id];
  if (changed.lines !== before.lines) {
    work.run('DELETE FROM accounting_lines WHERE organization_id = $1 AND journal_id = $2', values);
    work.insertAll(LineModel, columnsOfLines({ row, lines: changed.lines }));
  } else if (isPosted || row.date !== before.row.date || row.kind_group !== before.row.kind_group) {
    work.run(
      `UPDATE accounting_lines SET date = $3, number = $4, kind_group = $5
        WHERE organization_id = $1 AND journal_id = $2`,
      [...values, row.date, row.number, row.kind_group],
    );
  }
  work.record(journalFacts.updated, { before: shown_before, after });
  return after;
}

/** Notes a step of the approval of an entry. */
export function noteApproval(
  work: Work,
  { id: journal_id, round }: Pick<JournalRow, 'id' | 'round'>,
  action: JournalApproval['action'],
  comment: string | null,
): void {
  work.insert(ApprovalModel, {
    id: newId('appr', work.now),
    journal_id,
    round,
    action,
    user_id: work.actor.user_id,
    comment,
    created_at: work.now.toISOString(),
  });
}
