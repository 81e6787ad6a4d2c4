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
