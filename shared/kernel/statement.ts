/** A table as the work needs to know it: its name and the columns that hold JSON. */
export type Table = { readonly tableName: string; readonly jsonAttributes?: readonly string[] };

export type Row = Record<string, unknown>;

/** SQL with `$1`-style values. `table` is the one table that it writes, or null where that is not so simple. */
export type Statement = {
  text: string;
  values: readonly unknown[];
  table?: string | null;
  /** Planned anew each time: for statements over so many rows that a plan from emptier days would be ruinous. */
  planned_anew?: boolean;
};
