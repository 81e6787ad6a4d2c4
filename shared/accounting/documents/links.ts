import { cursorBatches } from '../../db/cursor.ts';
import { Failure, notFound, unknownReference } from '../../kernel/failure.ts';
import { FACTS_TOGETHER, type Work } from '../../kernel/work.ts';
import type { Reference } from '../../platform/references.ts';
import { lockBooksOf } from '../years/queries.ts';
import { lockActive, tooManyEntries, writeEvidence } from './operations.ts';
import { type EvidenceDocument, evidenceFacts, MOST_PARTS } from './record.ts';

const LINK = `
  INSERT INTO accounting_document_links (organization_id, document_id, journal_id, created_by, created_at)
  VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`;

/**
 * Links a document to an entry of any status, also in locked periods; once however often it is asked for. Errors:
 * `not_found`, `frozen`, `unknown_reference` at /journal_id.
 */
export async function linkEvidence(work: Work, id: string, journal_id: string): Promise<EvidenceDocument> {
  const { evidence, context } = await lockActive(work, id);
  await requireJournal(work, journal_id, () => unknownReference('/journal_id', journal_id));
  if (evidence.journal_ids.length >= MOST_PARTS && !evidence.journal_ids.includes(journal_id)) {
    throw tooManyEntries('/journal_id');
  }
  work.run(LINK, [work.organization_id, id, journal_id, work.actor.user_id, work.now]);
  const journal_ids = [...new Set([...evidence.journal_ids, journal_id])].sort();
  return writeEvidence(work, evidence, { ...evidence, journal_ids }, context);
}

/** Takes a link away. Errors: `not_found`, `frozen`, `fiscal_year_closed` for an entry of a closed year. */
export async function unlinkEvidence(work: Work, id: string, journal_id: string): Promise<EvidenceDocument> {
  const { evidence, context } = await lockActive(work, id);
  if (!evidence.journal_ids.includes(journal_id)) throw notFound();
  const { date } = await requireJournal(work, journal_id, notFound);
  await lockBooksOf(work, [date]);
  const [closed] = await work.connection.query<{ id: string }>(
    `SELECT id FROM accounting_fiscal_years
      WHERE organization_id = $1 AND $2 BETWEEN start_date AND end_date AND status = 'closed'`,
    [work.organization_id, date],
  );
  if (closed) throw new Failure('fiscal_year_closed', { members: { fiscal_year_id: closed.id } });
  work.run(
    `DELETE FROM accounting_document_links WHERE organization_id = $1 AND document_id = $2 AND journal_id = $3`,
    [work.organization_id, id, journal_id],
  );
  const journal_ids = evidence.journal_ids.filter((each) => each !== journal_id);
  return writeEvidence(work, evidence, { ...evidence, journal_ids }, context);
}

async function requireJournal(
  { connection, organization_id }: Work,
  journal_id: string,
  refusal: () => Failure,
): Promise<{ date: string }> {
  const [found] = await connection.query<{ date: string }>(
    'SELECT date FROM accounting_journals WHERE organization_id = $1 AND id = $2 FOR KEY SHARE',
    [organization_id, journal_id],
  );
  if (!found) throw refusal();
  return found;
}

/** How documents follow their company when it is merged; one with documents is not removed. */
export const evidenceReferences: readonly Reference[] = [
  {
    to: 'crm_companies',
    table: 'accounting_documents',
    column: 'company_id',
    keeps_imported: true,
    follows: { removal: 'refused', kind: `'document'`, lock: lockDocumentsOf, relink: relinkDocuments },
  },
];

const LOCK = `SELECT id FROM accounting_documents
  WHERE organization_id = $1 AND company_id = $2 ORDER BY id FOR NO KEY UPDATE`;

async function lockDocumentsOf(work: Work, company_id: string): Promise<number> {
  const [row] = await work.connection.query<{ count: number }>(
    `WITH locked AS MATERIALIZED (${LOCK}) SELECT count(*) FROM locked`,
    [work.organization_id, company_id],
  );
  return row!.count;
}

type Moved = { id: string; company_id: string | null };

/** Gives the documents of a company that is merged its survivor; each is a change of that document. */
async function relinkDocuments(work: Work, company_id: string, to: string | null): Promise<void> {
  const values = [work.organization_id, company_id];
  for await (const rows of cursorBatches<{ id: string }>(work.connection, LOCK, values, FACTS_TOGETHER)) {
    for (const { id } of rows) {
      const before: Moved = { id, company_id };
      const after: Moved = { id, company_id: to };
      work.record(evidenceFacts.updated, { before, after });
    }
    if (rows.length === FACTS_TOGETHER) await work.flushFacts();
  }
  work.run(
    `UPDATE accounting_documents
        SET company_id = $3, updated_at = greatest($4, updated_at + interval '1 millisecond')
      WHERE organization_id = $1 AND company_id = $2`,
    [work.organization_id, company_id, to, work.now],
  );
}
