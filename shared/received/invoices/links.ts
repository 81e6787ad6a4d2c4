import type { Work } from '../../kernel/work.ts';
import { receivedInvoiceFacts } from './record.ts';

/** Locks the received invoices of a company before it is locked itself. Answers how many there are. */
export async function lockReceivedInvoicesOf(work: Work, company_id: string): Promise<number> {
  return (await lockRows(work, company_id)).length;
}

type Moved = { id: string; company_id: string };

/** Gives the received invoices of a company that is merged its survivor; each is a change of that invoice. */
export async function relinkReceivedInvoices(work: Work, company_id: string, to: string): Promise<void> {
  for (const { id } of await lockRows(work, company_id)) {
    const before: Moved = { id, company_id };
    const after: Moved = { id, company_id: to };
    work.record(receivedInvoiceFacts.updated, { before, after });
  }
  work.run(
    `UPDATE received_invoices
        SET company_id = $3, updated_at = greatest($4, updated_at + interval '1 millisecond')
      WHERE organization_id = $1 AND company_id = $2`,
    [work.organization_id, company_id, to, work.now],
  );
}

function lockRows(work: Work, company_id: string): Promise<{ id: string }[]> {
  return work.connection.query(
    `SELECT id FROM received_invoices
      WHERE organization_id = $1 AND company_id = $2 ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, company_id],
  );
}
