import type { ImportField } from '../reading/field.ts';

/** A column that is mapped to a field; `index` from 0, `name` as errors call the column. */
export type MappedColumn = { index: number; name: string; field: ImportField };

/** A column whose cells are kept by its header. */
export type KeptColumn = { index: number; name: string };

export type Columns = {
  /** How many cells each row must have. */
  count: number;
  mapped: readonly MappedColumn[];
  kept: readonly KeptColumn[];
};
