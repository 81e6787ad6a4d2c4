import type { Reader } from '../../kernel/reader.ts';

/**
 * Finds accounts by what cells name them by: the code, or the exact name where one account alone has it. Answers the code;
 * null where none is meant, or more than one.
 */
export async function accountsOfCells(
  { connection, organization_id }: Reader,
  cells: readonly string[],
): Promise<(cell: string) => string | null> {
  const asked = [...new Set(cells)];
  const rows =
    asked.length === 0
      ? []
      : await connection.query<{ code: string; name: string }>(
          `SELECT code, name FROM accounting_accounts
            WHERE organization_id = $1 AND (code = ANY ($2) OR name = ANY ($2)) ORDER BY code`,
          [organization_id, asked],
          { prepared: false },
        );
  const codes = new Set(rows.map(({ code }) => code));
  const by_name = Map.groupBy(rows, ({ name }) => name);
  return (cell) => {
    if (codes.has(cell)) return cell;
    const named = by_name.get(cell) ?? [];
    return named.length === 1 ? named[0]!.code : null;
  };
}
