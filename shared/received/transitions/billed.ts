import type { Reader } from '../../kernel/reader.ts';

const BILLED = `SELECT DISTINCT ON (purchase_order_id) purchase_order_id, id FROM received_documents
  WHERE organization_id = $1 AND purchase_order_id = ANY ($2) AND kind = 'invoice'
    AND status IN ('approved', 'partially_paid', 'paid')
  ORDER BY purchase_order_id, id`;

/** Of purchase orders of ours those that an invoice was approved for, with the first such invoice. */
export async function billedBy(
  { connection, organization_id }: Reader,
  order_ids: readonly string[],
): Promise<Map<string, string>> {
  if (order_ids.length === 0) return new Map();
  const rows = await connection.query<{ purchase_order_id: string; id: string }>(BILLED, [
    organization_id,
    order_ids,
  ]);
  return new Map(rows.map(({ purchase_order_id, id }) => [purchase_order_id, id]));
}
