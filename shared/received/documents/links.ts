import { cursorBatches } from '../../db/cursor.ts';
import { FACTS_TOGETHER, type Work } from '../../kernel/work.ts';
import type { Reference } from '../../platform/references.ts';
import { claimBehind, holdersOf, numberClaim } from './claims.ts';
import { type ReceivedDocument, ReceivedModel, receivedFacts } from './record.ts';

const LOCK = `SELECT id FROM received_documents
  WHERE organization_id = $1 AND company_id = $2 ORDER BY id FOR NO KEY UPDATE`;

/** How received documents follow the company that sent them. */
export const receivedReferences: readonly Reference[] = [
  {
    to: 'crm_companies',
    table: 'received_documents',
    column: 'company_id',
    keeps_imported: true,
    follows: { removal: 'refused', kind: `'received_' || kind`, lock: lockOfCompany, relink: relinkCompany },
  },
];

/** Locks the documents of a company before the company itself is locked. Answers how many there are. */
async function lockOfCompany(work: Work, company_id: string): Promise<number> {
  const [row] = await work.connection.query<{ count: number }>(
    `WITH locked AS MATERIALIZED (${LOCK}) SELECT count(*) FROM locked`,
    [work.organization_id, company_id],
  );
  return row!.count;
}

/** What of a document says which number it claims, and the claim that it holds. */
type Moving = Pick<
  ReceivedDocument,
  'id' | 'kind' | 'status' | 'number' | 'issue_date' | 'received_on' | 'duplicate_of' | 'updated_at'
> & { claim: string | null };

const MOVING = `SELECT id, kind, status, number, issue_date, received_on, duplicate_of, updated_at, (
    SELECT claim FROM received_claims AS own
     WHERE own.organization_id = $1 AND own.document_id = received_documents.id AND own.claim LIKE 'number:%') AS claim
  FROM received_documents WHERE organization_id = $1 AND company_id = $2 ORDER BY id FOR NO KEY UPDATE`;

/**
 * Gives the documents of a company that is merged its survivor; each is a change of that document. One whose number the
 * survivor has already in that year becomes its duplicate.
 */
async function relinkCompany(work: Work, company_id: string, to: string | null): Promise<void> {
  const values = [work.organization_id, company_id];
  for await (const rows of cursorBatches<Moving>(work.connection, MOVING, values, FACTS_TOGETHER)) {
    await moveDocuments(work, rows, company_id, to);
    if (rows.length === FACTS_TOGETHER) await work.flushFacts();
  }
}

type Moved = { id: string; company_id: string | null; duplicate_of: string | null };

async function moveDocuments(
  work: Work,
  rows: readonly Moving[],
  company_id: string,
  to: string | null,
): Promise<void> {
  const claims = rows.map((row) => (row.claim === null ? null : numberClaim({ ...row, company_key: to })));
  const held = await holdersOf(
    work,
    rows.flatMap(({ kind }, place) => (claims[place] ? [{ kind, claim: claims[place] }] : [])),
  );
  const moved = rows.map((row, place) => {
    const claim = claims[place] ?? null;
    const holder = claim === null ? undefined : held.get(`${row.kind} ${claim}`);
    const isBehind = holder !== undefined || row.claim?.includes(' ');
    const own = claim !== null && isBehind ? claimBehind(claim, row.id) : claim;
    return { row, claim: own, duplicate_of: holder ?? row.duplicate_of };
  });
  for (const { row, duplicate_of } of moved) {
    const before: Moved = { id: row.id, company_id, duplicate_of: row.duplicate_of };
    const after: Moved = { id: row.id, company_id: to, duplicate_of };
    work.record(receivedFacts[row.kind].updated, { before, after });
  }
  work.updateAll(
    ReceivedModel,
    moved.map(({ row, duplicate_of }) => ({
      id: row.id,
      company_id: to,
      company_key: to,
      duplicate_of,
      updated_at: work.touch(row),
    })),
  );
  work.run(
    `DELETE FROM received_claims WHERE organization_id = $1 AND document_id = ANY ($2) AND claim LIKE 'number:%'`,
    [work.organization_id, rows.map(({ id }) => id)],
  );
  work.repeatOn('received_claims_pkey');
  work.insertAll(
    { tableName: 'received_claims' },
    moved.flatMap(({ row, claim }) =>
      claim === null ? [] : [{ kind: row.kind, claim, document_id: row.id }],
    ),
  );
}
