import { Failure } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';

const COUNTS = `
  SELECT kind, count(*) FROM invoicing_documents WHERE organization_id = $1 AND company_id = $2 GROUP BY kind
   UNION ALL
  SELECT 'received_invoice', count(*) FROM received_invoices
   WHERE organization_id = $1 AND company_id = $2 HAVING count(*) > 0`;

/**
 * Sees that no document is made out to a company, or came from it, which is locked for its removal. Errors: `in_use`
 * with the counts by kind.
 */
export async function refuseInUse(work: Work, company_id: string): Promise<void> {
  const rows = await work.connection.query<{ kind: string; count: number }>(COUNTS, [
    work.organization_id,
    company_id,
  ]);
  if (rows.length === 0) return;
  const documents = Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
  const named = rows.map(({ kind, count }) => `${count} ${kind}`).join(', ');
  throw new Failure('in_use', { detail: `The company has documents: ${named}`, members: { documents } });
}
