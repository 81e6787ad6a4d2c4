import { oneOf } from '../../db/one-of.ts';
import type { Reader } from '../../kernel/reader.ts';
import { alikeOf } from './alike.ts';
import type { Link } from './fields.ts';
import type { ReceivedDocument } from './record.ts';

/** What a document has to do with others: what it was made of and into, its entries, an approved invoice, what is alike. */
type Linked = Pick<ReceivedDocument, 'source' | 'converted_to' | 'journal_ids' | 'billed_by' | 'duplicates'>;

type Found = { how: keyof Linked; document_id: string; type: Link['type'] | null; id: string };

const BILLED_BY = `SELECT 'billed_by', note.id, NULL, min(invoice.id)
  FROM received_documents AS note
  JOIN received_documents AS invoice
    ON invoice.organization_id = $1 AND invoice.purchase_order_id = note.purchase_order_id
       AND invoice.kind = 'invoice' AND invoice.status IN ('approved', 'partially_paid', 'paid')
 WHERE note.organization_id = $1 AND note.id = ${oneOf('$2')} AND note.kind = 'delivery_note' GROUP BY note.id`;

/** One statement for all: each that finds nothing, as most do, would cost the API and the database as much as this. */
const LINKED = `
  SELECT 'source' AS how, target_id AS document_id, source_type AS type, source_id AS id FROM invoicing_links
   WHERE organization_id = $1 AND target_id = ${oneOf('$2')}
  UNION ALL SELECT 'converted_to', source_id, target_type, target_id FROM invoicing_links
   WHERE organization_id = $1 AND source_id = ${oneOf('$2')}
  UNION ALL SELECT 'journal_ids', source_id, NULL, id FROM accounting_journals
   WHERE organization_id = $1 AND source_id = ${oneOf('$2')}
  UNION ALL ${BILLED_BY}
  UNION ALL ${alikeOf("'duplicates'")}
  ORDER BY id`;

/** What documents have to do with others, by each of their IDs. */
export async function linkedTo(
  { connection, organization_id }: Reader,
  ids: readonly string[],
): Promise<(id: string) => Linked> {
  const rows = await connection.query<Found>(LINKED, [organization_id, ids]);
  const byDocument = Map.groupBy(rows, ({ document_id }) => document_id);
  return (document_id) => {
    const own = Map.groupBy(byDocument.get(document_id) ?? [], ({ how }) => how);
    const idsOf = (how: Found['how']) => (own.get(how) ?? []).map(({ id }) => id);
    const linksOf = (how: Found['how']) => (own.get(how) ?? []).map(({ type, id }) => ({ type: type!, id }));
    return {
      source: linksOf('source'),
      converted_to: linksOf('converted_to'),
      journal_ids: idsOf('journal_ids'),
      billed_by: idsOf('billed_by')[0] ?? null,
      duplicates: idsOf('duplicates'),
    };
  };
}
