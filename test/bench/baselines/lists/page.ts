import type { Any } from '../bare-server.ts';

/** What a list is asked for. */
export type Asked = {
  organization_id: string;
  /** Who made the key. */
  user_id: string;
  limit: number;
  now: Date;
  /** The names in the path. */
  params: Any;
  /** The parameters behind it. */
  query: Any;
};

export type List = (asked: Asked) => Promise<{ items: object[]; total: number }>;

/** Without scopes everybody may do everything. */
export const ALL = ['*'] as const;

/** The newest rows of a query, and how many it has, side by side. */
export async function pageAndTotal(
  query: Any,
  columns: readonly string[],
  { limit, query: { skip_total } }: Asked,
  order: readonly string[] = ['id'],
): Promise<[rows: Any[], total: number]> {
  const descending = order.map((column) => ({ column, order: 'desc' }));
  return Promise.all([
    query
      .clone()
      .select([...columns])
      .orderBy(descending)
      .limit(limit),
    skip_total === 'true' ? -1 : query.resultSize(),
  ]);
}

/** What answers a list: its page in the envelope of lists. */
export const answering = (list: List) => async (context: Any) => {
  const { state, params, query } = context;
  const limit = Number(query.limit ?? 50);
  const { organization_id, created_by: user_id } = state;
  const found = await list({ organization_id, user_id, limit, now: new Date(), params, query });
  context.body = { ...found, limit, offset: 0 };
};

export const idsOf = (rows: readonly Any[]): string[] => rows.map(({ id }) => id);

/** Rows of a relation by the record that they belong to, without the column that says so. */
export function partsOf(rows: readonly Any[], column: string): (id: string) => Any[] {
  const parts = Map.groupBy(rows, (row) => row[column]);
  return (id) => (parts.get(id) ?? []).map(({ [column]: _, ...part }) => part);
}
