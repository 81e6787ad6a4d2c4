import { cursorBatches } from '../../db/cursor.ts';
import { FACTS_TOGETHER, type Work } from '../../kernel/work.ts';
import type { Reference } from '../../platform/references.ts';
import { receivedInvoiceFacts } from './record.ts';

/** How received invoices follow the company that sends them. */
export const receivedReferences: readonly Reference[] = [
  {
    to: 'crm_companies',
    table: 'received_documents',
    column: 'company_id',
    keeps_imported: true,
    follows: {
      removal: 'refused',
      kind: `'received_invoice'`,
      lock: lockReceivedInvoices,
      relink: relinkReceivedInvoices,
    },
  },
];

type Moved = { id: string; company_id: string | null };

/** Gives the received invoices of a company that is merged its survivor; each is a change of that invoice. */
async function relinkReceivedInvoices(work: Work, company_id: string, to: string | null): Promise<void> {
  const values = [work.organization_id, company_id];
  for await (const rows of cursorBatches<{ id: string }>(work.connection, LOCK, values, FACTS_TOGETHER)) {
    for (const { id } of rows) {
      const before: Moved = { id, company_id };
      const after: Moved = { id, company_id: to };
      work.record(receivedInvoiceFacts.updated, { before, after });
    }
    if (rows.length === FACTS_TOGETHER) await work.flushFacts();
  }
  work.run(
    `UPDATE received_documents
        SET company_id = $3, updated_at = greatest($4, updated_at + interval '1 millisecond')
      WHERE organization_id = $1 AND company_id = $2`,
    [work.organization_id, company_id, to, work.now],
  );
}

const LOCK = `SELECT id FROM received_documents
  WHERE organization_id = $1 AND company_id = $2 ORDER BY id FOR NO KEY UPDATE`;

/** Locks the received invoices of a company before the company itself is locked. Answers how many there are. */
async function lockReceivedInvoices(work: Work, company_id: string): Promise<number> {
  const [row] = await work.connection.query<{ count: number }>(
    `WITH locked AS MATERIALIZED (${LOCK}) SELECT count(*) FROM locked`,
    [work.organization_id, company_id],
  );
  return row!.count;
}
