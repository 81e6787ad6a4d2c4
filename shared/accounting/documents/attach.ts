import { Failure, unknownReference } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { tooManyEntries, writeEvidence } from './operations.ts';
import { MOST_PARTS } from './record.ts';
import {
  type Evidence,
  type EvidenceContext,
  type EvidenceRow,
  evidenceColumns,
  evidenceWith,
} from './rows.ts';

/** An entry that is made with evidence, and where the body has it. */
export type WithEvidence = { document_ids?: readonly string[] | undefined; path: string };

/** Documents that are locked for entries to be linked to them. */
export type LockedEvidence = { all: Evidence[]; context: EvidenceContext };

/**
 * Locks the documents that new entries name, in the order of their IDs and before the books. Errors: `unknown_reference` at
 * /document_ids/n, `frozen`.
 */
export async function lockNamedEvidence(
  work: Work,
  entries: readonly WithEvidence[],
): Promise<LockedEvidence | null> {
  const ids = [...new Set(entries.flatMap(({ document_ids = [] }) => document_ids))].sort();
  if (ids.length === 0) return null;
  const rows = await lockRows(work, ids);
  const found = new Map(rows.map((row) => [row.id, row]));
  for (const { document_ids = [], path } of entries) {
    for (const [index, id] of document_ids.entries()) {
      const row = found.get(id);
      if (!row) throw unknownReference(`${path}/document_ids/${index}`, id);
      if (row.status === 'discarded') throw new Failure('document_frozen');
    }
  }
  return evidenceWith(work, rows);
}

/** Links new entries to the locked documents that they name; their rows are sent before. Errors: `validation_failed`. */
export function attachEvidence(
  work: Work,
  evidence: LockedEvidence | null,
  entries: readonly { journal_id: string; document_ids: readonly string[] }[],
): void {
  for (const one of evidence?.all ?? []) {
    const own = entries.filter(({ document_ids }) => document_ids.includes(one.row.id));
    const journal_ids = own.map(({ journal_id }) => journal_id);
    if (one.journal_ids.length + journal_ids.length > MOST_PARTS) throw tooManyEntries('/document_ids');
    work.run(
      `INSERT INTO accounting_document_links (organization_id, document_id, journal_id, created_by, created_at)
       SELECT $1, $2, journal_id, $4, $5 FROM unnest($3::text[]) AS named (journal_id)`,
      [work.organization_id, one.row.id, journal_ids, work.actor.user_id, work.now],
    );
    const after = { ...one, journal_ids: [...one.journal_ids, ...journal_ids].sort() };
    writeEvidence(work, one, after, evidence!.context);
  }
}

/**
 * Gives an unposted entry, which is locked, the links that a change names in place of its own. Errors:
 * `unknown_reference` at /document_ids/n, `frozen`, `validation_failed`.
 */
export async function replaceEvidence(
  work: Work,
  journal_id: string,
  { before, after }: { before: readonly string[]; after: readonly string[] },
): Promise<void> {
  const removed = before.filter((id) => !after.includes(id));
  const named = [{ document_ids: after, path: '' }];
  const kept = await lockNamedEvidence(work, named);
  if (removed.length > 0) await detachEvidence(work, journal_id, removed);
  const all = (kept?.all ?? []).filter(({ journal_ids }) => !journal_ids.includes(journal_id));
  if (kept) attachEvidence(work, { ...kept, all }, [{ journal_id, document_ids: after }]);
}

/** Takes links from an unposted entry, also from documents that were discarded since: it goes, or they are replaced. */
export async function detachEvidence(
  work: Work,
  journal_id: string,
  document_ids: readonly string[],
): Promise<void> {
  if (document_ids.length === 0) return;
  const { all, context } = await evidenceWith(work, await lockRows(work, [...document_ids].sort()));
  work.run(
    'DELETE FROM accounting_document_links WHERE organization_id = $1 AND journal_id = $2 AND document_id = ANY ($3)',
    [work.organization_id, journal_id, document_ids],
  );
  for (const one of all) {
    const journal_ids = one.journal_ids.filter((id) => id !== journal_id);
    writeEvidence(work, one, { ...one, journal_ids }, context);
  }
}

function lockRows(work: Work, ids: readonly string[]): Promise<EvidenceRow[]> {
  return work.connection.query<EvidenceRow>(
    `SELECT ${evidenceColumns.join(', ')} FROM accounting_documents
      WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, ids],
  );
}
