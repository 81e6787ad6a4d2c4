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
  const rows = await work.connection.query<EvidenceRow>(
    `SELECT ${evidenceColumns.join(', ')} FROM accounting_documents
      WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, ids],
  );
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
