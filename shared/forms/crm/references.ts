import { cursorBatches } from '../../db/cursor.ts';
import { FACTS_TOGETHER, type Work } from '../../kernel/work.ts';
import type { Reference } from '../../platform/references.ts';
import { type ResponseCrm, responseFacts } from '../responses/record.ts';
import type { CrmStatus } from '../responses/words.ts';

type Linked = 'crm_contact_id' | 'crm_company_id';

/** How responses follow the contact and the company that they were linked to: they lose one that is removed. */
export const formsReferences: readonly Reference[] = [
  referenceOf('crm_contacts', 'crm_contact_id'),
  referenceOf('crm_companies', 'crm_company_id'),
];

function referenceOf(to: string, column: Linked): Reference {
  return {
    to,
    table: 'forms_responses',
    column,
    keeps_imported: true,
    follows: {
      removal: 'cleared',
      kind: `'form_response'`,
      lock: (work, id) => lockLinked(work, column, id),
      relink: (work, id, next_id) => relink(work, column, { from: id, to: next_id }),
    },
  };
}

/** Locks the responses of a record before the record itself is locked. Answers how many there are. */
async function lockLinked(work: Work, column: Linked, id: string): Promise<number> {
  const [row] = await work.connection.query<{ count: number }>(
    `WITH locked AS MATERIALIZED (
       SELECT id FROM forms_responses WHERE organization_id = $1 AND ${column} = $2 ORDER BY id FOR NO KEY UPDATE)
     SELECT count(*) FROM locked`,
    [work.organization_id, id],
  );
  return row!.count;
}

type Row = {
  id: string;
  crm_status: CrmStatus;
  crm_contact_id: string | null;
  crm_company_id: string | null;
  updated_at: string;
};

/** What of a response its change history tells of the link. */
type Told = { id: string; crm: ResponseCrm; updated_at: string };

/** Gives the responses of a record another one, or none; each is a change of that response. */
async function relink(
  work: Work,
  column: Linked,
  { from, to }: { from: string; to: string | null },
): Promise<void> {
  const batches = cursorBatches<Row>(
    work.connection,
    `SELECT id, crm_status, crm_contact_id, crm_company_id, updated_at FROM forms_responses
      WHERE organization_id = $1 AND ${column} = $2 ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, from],
    FACTS_TOGETHER,
  );
  let count = 0;
  for await (const rows of batches) {
    count += rows.length;
    for (const row of rows) {
      const before = toldOf(row);
      const after = { ...toldOf({ ...row, [column]: to }), updated_at: work.touch(row) };
      work.record(responseFacts.updated, { before, after });
    }
    if (rows.length === FACTS_TOGETHER) await work.flushFacts();
  }
  if (count === 0) return;
  work.run(
    `UPDATE forms_responses SET ${column} = $3, updated_at = greatest($4, updated_at + interval '1 millisecond')
      WHERE organization_id = $1 AND ${column} = $2`,
    [work.organization_id, from, to, work.now],
  );
}

function toldOf({ id, crm_status, crm_contact_id, crm_company_id, updated_at }: Row): Told {
  const crm = { status: crm_status, contact_id: crm_contact_id, company_id: crm_company_id, error: null };
  return { id, crm, updated_at };
}
