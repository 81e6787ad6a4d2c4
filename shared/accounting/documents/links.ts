import { Failure, notFound, unknownReference } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import type { Reference } from '../../platform/references.ts';
import { relinkedRows } from '../../platform/relink.ts';
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
    follows: {
      removal: 'refused',
      kind: `'document'`,
      ...relinkedRows('accounting_documents', 'company_id', evidenceFacts.updated),
    },
  },
];
