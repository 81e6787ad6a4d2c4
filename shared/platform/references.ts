import type { Work } from '../kernel/work.ts';

/**
 * A column that refers to records which users remove and merge. A test compares the declared ones with the foreign keys
 * of the database, so that no table can be forgotten.
 */
export type Reference = {
  /** The table of the records: `crm_companies`. */
  to: string;
  /** The table of the rows that refer to them; it has `organization_id`. */
  table: string;
  column: string;
  /** Whether the undoing of an import leaves a record in place that such a row refers to. */
  keeps_imported: boolean;
  /** Whether rows keep the ID of a record that was merged into another: then the column is no foreign key. */
  keeps_id?: true;
  /**
   * How the rows follow the record. Only the domain of the records leaves it out, for its own tables: its operations
   * move those rows themselves, together with the totals and texts that depend on them.
   */
  follows?: FollowingRows;
};

/** What a domain does with its rows when a record of another domain that they refer to is removed or merged. */
export type FollowingRows = {
  /** `refused`: such a row makes the removal of the record 409 `in_use`. `cleared`: the row loses the reference. */
  removal: 'refused' | 'cleared';
  /** SQL over a row: the kind that `in_use` counts it as, for example `'received_invoice'`. */
  kind: string;
  /** The table of the parts that each row is read with, and its column that refers to the row: lines of a document. */
  parts?: { table: string; column: string };
  /** Locks the rows of a record before the record itself is locked. Answers how many there are. */
  lock(work: Work, id: string): Promise<number>;
  /** Gives the rows of a record another one, or none; each is a change of that row, with event and audit entry. */
  relink(work: Work, id: string, to: string | null): Promise<void>;
};

type ForeignReference = Reference & { follows: FollowingRows };

/** The references from other domains to records of a table, in the order in which their rows are locked. */
export function foreignReferences(
  references: readonly Reference[],
  to: string,
  removal?: FollowingRows['removal'],
): ForeignReference[] {
  return references.filter(
    (each): each is ForeignReference =>
      each.to === to && each.follows !== undefined && (!removal || each.follows.removal === removal),
  );
}

/** The tables and columns that refer to records of a table, with those of its own domain. */
export function referencesTo(references: readonly Reference[], to: string): Reference[] {
  return references.filter((each) => each.to === to);
}

/**
 * Locks the rows that refer to a record, table after table in the order of the references. The record is locked after
 * them, as in every write of such a row. Answers how many there are.
 */
export async function lockReferring(
  work: Work,
  references: readonly ForeignReference[],
  id: string,
): Promise<number> {
  let count = 0;
  for (const { follows } of references) count += await follows.lock(work, id);
  return count;
}

/** Gives the rows that refer to a record another one, or none. */
export async function relinkReferring(
  work: Work,
  references: readonly ForeignReference[],
  id: string,
  to: string | null,
): Promise<void> {
  for (const { follows } of references) await follows.relink(work, id, to);
}

/** How many rows refer to a record, by kind, in one statement; kinds without rows are left out. */
export async function countReferring(
  work: Work,
  references: readonly ForeignReference[],
  id: string,
): Promise<Record<string, number>> {
  if (references.length === 0) return {};
  const counts = references.map(
    ({ table, column, follows }) =>
      `SELECT ${follows.kind} AS kind, count(*) AS count FROM ${table}
        WHERE organization_id = $1 AND ${column} = $2 GROUP BY 1`,
  );
  const rows = await work.connection.query<{ kind: string; count: number }>(counts.join(' UNION ALL '), [
    work.organization_id,
    id,
  ]);
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
}

/**
 * How many rows a merge would have to read: those that refer to a record, with their parts, of every table. Each table
 * is counted up to `most` and no further, so an answer beyond `most` says only that there are more.
 */
export async function countUpTo(
  work: Work,
  references: readonly Reference[],
  id: string,
  most: number,
): Promise<number> {
  if (references.length === 0) return 0;
  const counted = references.flatMap(({ table, column, follows }) => {
    const where = `WHERE referring.organization_id = $1 AND referring.${column} = $2 LIMIT $3`;
    const rows = `(SELECT 1 FROM ${table} AS referring ${where})`;
    if (!follows?.parts) return [rows];
    const { parts } = follows;
    const joined = `part.organization_id = referring.organization_id AND part.${parts.column} = referring.id`;
    return [rows, `(SELECT 1 FROM ${table} AS referring JOIN ${parts.table} AS part ON ${joined} ${where})`];
  });
  const [row] = await work.connection.query<{ count: number }>(
    `SELECT count(*) FROM (${counted.join(' UNION ALL ')}) AS counted`,
    [work.organization_id, id, most + 1],
    { prepared: false },
  );
  return row!.count;
}
