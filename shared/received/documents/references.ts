import { oneOf } from '../../db/one-of.ts';
import { Failure, type FieldError, MOST_FIELD_ERRORS } from '../../kernel/failure.ts';
import { joined, sameText } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { ReceivedDocument } from './record.ts';

type Named = Pick<ReceivedDocument, 'company_id' | 'purchase_order_id' | 'lines'>;

const ORDER = `SELECT company_id, ARRAY(
    SELECT id FROM invoicing_lines
     WHERE organization_id = $1 AND document_id = $2 AND id = ${oneOf('$3')}) AS line_ids
  FROM invoicing_documents WHERE organization_id = $1 AND id = $2 AND kind = 'purchase_order'`;

/** They stay until the document is written. */
const ACCOUNTS = `SELECT id FROM accounting_accounts
  WHERE organization_id = $1 AND id = ${oneOf('$2')} ORDER BY id FOR KEY SHARE`;

/**
 * Sees that the accounts of lines are in the chart, that the order is one of ours to the sender, and that the lines that are
 * answered are of that order. Errors: `unknown_reference`, with an entry for each of them.
 */
export async function requireNamed(
  { connection, organization_id }: Reader,
  { company_id, purchase_order_id, lines }: Named,
): Promise<void> {
  const account_ids = lines.flatMap(({ account_id }) => account_id ?? []);
  const line_ids = lines.flatMap(({ purchase_order_line_id }) => purchase_order_line_id ?? []);
  const [accounts, [order]] = await Promise.all([
    account_ids.length === 0
      ? []
      : connection.query<{ id: string }>(ACCOUNTS, [organization_id, account_ids]),
    purchase_order_id === null
      ? []
      : connection.query<{ company_id: string; line_ids: string[] }>(ORDER, [
          organization_id,
          purchase_order_id,
          line_ids,
        ]),
  ]);
  const charted = new Set(accounts.map(({ id }) => id));
  const ordered = new Set(order?.line_ids);
  const faults: FieldError[] = [];
  if (purchase_order_id !== null && order?.company_id !== company_id)
    faults.push(unknown('/purchase_order_id', purchase_order_id));
  for (const [index, { account_id, purchase_order_line_id }] of lines.entries()) {
    const at = `/line_items/${index}`;
    if (account_id !== null && !charted.has(account_id)) faults.push(unknown(`${at}/account_id`, account_id));
    if (purchase_order_line_id !== null && !ordered.has(purchase_order_line_id))
      faults.push(unknown(`${at}/purchase_order_line_id`, purchase_order_line_id));
  }
  const [first] = faults;
  if (!first) return;
  throw new Failure('unknown_reference', {
    detail: joined([sameText(first.path.slice(1)), first.message], ': '),
    errors: faults.slice(0, MOST_FIELD_ERRORS),
  });
}

function unknown(path: string, id: string): FieldError {
  const message = {
    en: `${id} is not one that this document can name`,
    ja: `${id} はこの書類に指定できません`,
  };
  return { in: 'body', path, code: 'unknown_reference', message };
}
