/** One sort field: the API's name and the direction. */
export type Sort = { field: string; direction: 'asc' | 'desc' };

/** Which part of a list is asked for, in one of the three forms that every list answers in. */
export type Window = {
  form: 'offset' | 'page' | 'cursor';
  limit: number;
  /** Rows to skip; 0 in the cursor form. */
  offset: number;
  /** The ID after which the cursor form goes on, or null for its first page. */
  starting_after: string | null;
  /** Empty for the default order: newest first. */
  sort: Sort[];
  created_after: string | null;
  created_before: string | null;
  /** Inclusive. */
  updated_after: string | null;
  /** Exclusive. */
  updated_before: string | null;
  /** Whether the total is to be counted. */
  count: boolean;
};

/** What a query answers for a window: the rows, the total (-1 when not counted), whether more follow. */
export type Page<Row> = { rows: Row[]; total: number; has_more: boolean };
