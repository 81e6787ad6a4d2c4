/**
 * A table as the work needs to know it: its name and the columns that hold JSON. Where many rows are written at once it tells
 * the types of its columns, of all that are not text; lists are of numbers alone.
 */
export type Table = {
  readonly tableName: string;
  readonly jsonAttributes?: readonly string[];
  readonly columnTypes?: Readonly<Record<string, string>>;
};

export type Row = Record<string, unknown>;

/** SQL with `$1`-style values. `table` is the one table that it writes, or null where that is not so simple. */
export type Statement = {
  text: string;
  values: readonly unknown[];
  table?: string | null;
  /** Planned anew each time: for statements over so many rows that a plan from emptier days would be ruinous. */
  planned_anew?: boolean;
  /** How it becomes one with those of other works; absent where it stands for itself. */
  joins?: Joining;
};

/** Statements of one `key` become the one that `join` makes of what each of them brings, in their order. */
export type Joining<Brought = unknown> = {
  key: string;
  brings: Brought;
  join: (brought: Brought[]) => Statement;
};

/** A joining of whatever its statements bring: only those of one key are ever joined, and they bring the same. */
export function joining<Brought>(one: Joining<Brought>): Joining {
  return one as Joining<unknown> as Joining;
}
