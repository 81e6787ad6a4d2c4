import type { Work } from '../../kernel/work.ts';
import { type DocumentRecord, LINES } from './record.ts';
import { lineRowsOf } from './rows.ts';
import type { Document } from './shape.ts';

/** The columns that a line has as the API shows it, with their types. */
const shown = {
  id: 'text',
  type: 'text',
  description: 'text',
  item_code: 'text',
  quantity: 'numeric',
  unit: 'text',
  unit_price: 'numeric',
  tax_category: 'text',
  tax_rate: 'smallint',
  withholding: 'boolean',
  amount: 'bigint',
  source_line_id: 'text',
};

const names = Object.keys(shown).join(', ');
const typed = Object.entries(shown).map(([name, type]) => `${name} ${type}`);

const INSERT = `INSERT INTO invoicing_lines (organization_id, document_id, ${names}, position)
  SELECT $1, $2, line.* FROM ROWS FROM (json_to_recordset($3::text::json) AS (${typed.join(', ')}))
    WITH ORDINALITY AS line`;

/**
 * Adds the lines of a new document. Those that come from no other document are kept as its event and its audit entry
 * tell them: one text for all three.
 */
export function insertLines(
  work: Work,
  record: DocumentRecord,
  { line_items }: Pick<Document, 'line_items'>,
): void {
  const isPlain = record.lines.every(({ source_document_id }) => source_document_id === null);
  if (!isPlain) {
    work.insertAll(LINES, lineRowsOf(record));
    return;
  }
  const values = [work.organization_id, record.id, work.textOf(line_items)];
  work.run(INSERT, values, { table: LINES.tableName });
}
