import { unknownReference } from '../kernel/failure.ts';
import type { Reader } from '../kernel/reader.ts';
import type { Table } from '../kernel/work.ts';

/** Sees that a record named in the body exists in the organization. Errors: `unknown_reference` at `path`. */
export async function requireRecord(
  reader: Reader,
  table: Table,
  id: string | null | undefined,
  path: string,
): Promise<void> {
  if (!id) return;
  const found = await reader.connection.query(
    `SELECT 1 FROM "${table.tableName}" WHERE organization_id = $1 AND id = $2`,
    [reader.organization_id, id],
    { alone: true },
  );
  if (found.length === 0) throw unknownReference(path, id);
}
