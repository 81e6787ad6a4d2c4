import type { Fault, Values } from './row.ts';

/** What revert compares and gives back: fields of a record by name, tags as IDs. */
export type Kept = Record<string, unknown>;

/** A record as the rows so far left it. */
export type Tracked = { id: string; updated_at: string };

/**
 * The records of one kind that a chunk of rows may touch: found and locked before the first row, changed in memory
 * row by row as the API's operations would, and written with few statements for many rows.
 */
export type Records<Record_ extends Tracked = Tracked> = {
  /** The record that a row is about, null when there is none. Faults: `ambiguous`. */
  match(values: Values): Record_ | null | Fault;
  /** What a row is known by, also where there is no record; null when it says nothing to be found by. */
  key(values: Values): string | null;
  /** Whether a row is about its record by a key that another one left to it when it was merged. */
  isByAlias(record: Record_, values: Values): boolean;
  /** What a row calls its record, as one name is told from another; null where it does not say. */
  name(values: Values): string | null;
  /** All that were found. */
  found(): Record_[];
  /** All that keeps a row from making (null) or changing a record; does neither. */
  faults(record: Record_ | null, values: Values): Fault[];
  /** By column, others than those of its own target without whose values nobody can tell whether it is right. */
  leans_on: Readonly<Record<string, readonly string[]>>;
  create(values: Values): Record_ | Fault[];
  /** Whether the record is another one now. */
  change(record: Record_, values: Values): boolean | Fault[];
  /** Whether nobody has filled a field, custom fields by `custom_fields.<key>`. */
  isBlank(record: Record_, target: string): boolean;
  kept(record: Record_): Kept;
  /** Records of other kinds that were made along the way: their IDs, with `updated_at`. */
  made(): { id: string; updated_at: string | null }[];
  /** Collects the statements of what was made and changed since the last call. */
  write(): void;
};
