import type { Read } from './faults.ts';

/** What answers are read with, besides the form. */
export type Reading = {
  /** The day (YYYY-MM-DD) that it is in the form's time zone. */
  today: string;
  /** The files that these answers may name, by their IDs: what `claimableFiles` found. */
  files: ReadonlyMap<string, { field_id: string }>;
};

/** Reads one answer that was given (`isUnanswered` is false for it). */
export type Reads = (value: unknown, reading: Reading) => Read;
