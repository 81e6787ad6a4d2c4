import type { Reader } from '../../kernel/reader.ts';
import type { ReceivedWarning } from '../amounts/record.ts';
import { capExceeded } from '../warnings.ts';
import type { TaxContext } from './context.ts';
import { valueOn } from './rules.ts';

const APPROVED = `
  SELECT coalesce(sum(total), 0) AS gross FROM received_documents
   WHERE organization_id = $1 AND company_id = $2 AND id <> $3
     AND kind = 'invoice' AND NOT qualified AND status IN ('approved', 'partially_paid', 'paid')
     AND coalesce(transaction_to, transaction_date, issue_date, received_on) BETWEEN $4 AND $5`;

/** An invoice of a seller; `day` is its transaction day, `total` its gross in yen. */
type Charged = { id: string; company_id: string | null; qualified: boolean; day: string; total: number };

/**
 * Warns where this invoice and the approved ones of its company that are not qualified come to more in the year than the
 * cap of the year's first day, beyond which the law gives no share (Act no. 15 of 2016, supplementary provisions, article 52).
 */
export async function supplierCapWarnings(
  { connection, organization_id }: Reader,
  { id, company_id, qualified, day, total }: Charged,
  { rules, yearOf }: TaxContext,
): Promise<ReceivedWarning[]> {
  if (qualified || company_id === null) return [];
  const { from, to } = yearOf(day);
  const values = [organization_id, company_id, id, from, to];
  const [row] = await connection.query<{ gross: number | string }>(APPROVED, values, { alone: true });
  const gross = BigInt(row!.gross) + BigInt(total);
  const cap = BigInt(valueOn(rules.supplier_caps, from));
  if (gross <= cap) return [];
  const message = capExceeded(gross, from, to, cap);
  return [{ path: '/company_id', code: 'supplier_cap_exceeded', message }];
}
