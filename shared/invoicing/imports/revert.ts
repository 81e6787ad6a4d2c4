import { isId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import type { ImportRun, RevertBatch } from '../../platform/imports/domain.ts';
import { type KeptOutcome, outcomesAfter } from '../../platform/imports/outcomes.ts';
import { freeSources } from '../convert/invoice.ts';
import { changed } from '../documents/change.ts';
import { contextOf } from '../documents/context.ts';
import { kinds, type WrittenKind } from '../documents/kinds.ts';
import { DocumentModel, type DocumentRecord, documentFacts } from '../documents/record.ts';
import { lockDocuments } from '../documents/rows.ts';
import type { DocumentPatch } from '../documents/shape.ts';
import { documentOf } from '../documents/shown.ts';
import { DELETE_LINES, writeDocument } from '../documents/write.ts';

const BATCH = 200;

/**
 * Undoes a batch of an import: removes the drafts that it made, and gives those that it changed their values back, where
 * nobody has changed them since. What was issued is left and counted; so is a number that a draft was given.
 */
export async function revertDocuments(
  work: Work,
  kind: WrittenKind,
  { import_id }: Pick<ImportRun, 'import_id'>,
  after: string | null,
): Promise<RevertBatch> {
  const batch = await outcomesAfter(work, import_id, after, BATCH);
  const written = batch.filter(
    ({ key, outcome }) => isId(key, kinds[kind].prefix) && (outcome === 'created' || outcome === 'updated'),
  );
  const outcomes = new Map(written.map((one) => [one.key, one]));
  const [documents, context] = await Promise.all([
    lockDocuments(work, kind, [...outcomes.keys()]),
    contextOf(work),
  ]);
  const untouched = documents.filter((document) => isAsLeft(document, outcomes.get(document.id)!));
  const counts = { deleted_count: 0, restored_count: 0, removed_membership_count: 0, left_count: 0 };
  for (const document of untouched) {
    const { id } = document;
    const { outcome, before } = outcomes.get(id)!;
    if (outcome === 'updated') {
      await writeDocument(work, document, changed(document, patchOf(before ?? {}), work.now));
      counts.restored_count += 1;
      continue;
    }
    freeSources(work, id);
    work.run(DELETE_LINES, [work.organization_id, id]);
    work.remove(DocumentModel, id);
    const shown = documentOf(document, { ...context, grants: null });
    work.record(documentFacts[kind].deleted, { before: shown, after: null });
    counts.deleted_count += 1;
  }
  await work.flush();
  counts.left_count = written.length - untouched.length;
  return { next: batch.length < BATCH ? null : batch.at(-1)!.key, counts };
}

function isAsLeft({ status, updated_at }: DocumentRecord, { changed_at }: KeptOutcome): boolean {
  return status === 'draft' && changed_at !== null && Date.parse(updated_at) === Date.parse(changed_at);
}

/** What gives the values from before back; a number once given stays. */
function patchOf(before: NonNullable<KeptOutcome['before']>): DocumentPatch {
  const values = Object.fromEntries(Object.entries(before).map(([name, [old]]) => [name, old]));
  const { number, transaction_date, transaction_from, transaction_to, metadata, ...plain } = values;
  const later = (before['metadata']?.[1] ?? {}) as Record<string, string>;
  const gone = Object.fromEntries(Object.keys(later).map((key) => [key, null]));
  return {
    ...plain,
    ...(number !== undefined && number !== null && { number }),
    ...('transaction_from' in values && {
      transaction_period: transaction_from ? { from: transaction_from, to: transaction_to } : null,
    }),
    ...('transaction_date' in values && { transaction_date }),
    ...('metadata' in values && { metadata: { ...gone, ...(metadata as object) } }),
  } as DocumentPatch;
}
