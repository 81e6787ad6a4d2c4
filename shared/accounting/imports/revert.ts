import type { Work } from '../../kernel/work.ts';
import type { ImportRun, RevertBatch } from '../../platform/imports/domain.ts';
import { outcomesAfter } from '../../platform/imports/outcomes.ts';
import { contextOf } from '../journals/context.ts';
import { lockEntries } from '../journals/queries.ts';
import { JournalModel, journalFacts } from '../journals/record.ts';
import { journalOf } from '../journals/rows.ts';

const BATCH = 200;

/**
 * Removes the entries that an import made, a batch at a time: drafts that nobody has changed or linked to evidence since.
 * What is submitted or posted is left and counted: the numbers of posted entries have no holes.
 */
export async function revertEntries(
  work: Work,
  { import_id }: Pick<ImportRun, 'import_id'>,
  after: string | null,
): Promise<RevertBatch> {
  const made = await outcomesAfter(work, import_id, after, BATCH);
  const left_at = new Map(made.map(({ key, changed_at }) => [key, changed_at]));
  const [entries, context] = await Promise.all([lockEntries(work, [...left_at.keys()]), contextOf(work)]);
  const removed = entries.filter(({ row, document_ids = [] }) => {
    const isUnchanged = Date.parse(row.updated_at) === Date.parse(left_at.get(row.id)!);
    return row.status === 'draft' && isUnchanged && document_ids.length === 0;
  });
  for (const entry of removed) {
    work.remove(JournalModel, entry.row.id);
    work.record(journalFacts.deleted, { before: journalOf(entry, context), after: null });
  }
  await work.flush();
  const counts = {
    deleted_count: removed.length,
    restored_count: 0,
    removed_membership_count: 0,
    left_count: made.length - removed.length,
  };
  return { next: made.length < BATCH ? null : made.at(-1)!.key, counts };
}
