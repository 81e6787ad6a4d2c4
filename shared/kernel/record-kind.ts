import type { z } from 'zod';
import type { Prefix } from './id.ts';
import { externalId } from './own-keys.ts';

/** A member that records are looked up by. */
export type RecordKey = {
  /** What one value of it may be, in a query string. */
  schema: z.ZodType<string, string>;
  /** The column that holds it, or the form that it is compared in; the member's own name where absent. */
  column?: string;
  /** The form that values are compared in. */
  compared?: (value: string) => string;
};

/** The records of one table that clients make, and what they are found by. */
export type RecordKind = {
  table: string;
  prefix: Prefix;
  /** By name: `external_id`, and what else tells a record, be it of several. */
  keys: Readonly<Record<string, RecordKey>>;
  /** The keys that a merged record leaves to the one that stays: those that only one record may have. */
  merged_keys?: readonly string[];
};

/** Declares a kind of record. Its table has `external_id`, unique in the organization, and `metadata`. */
export function recordKind({
  keys = {},
  ...kind
}: Omit<RecordKind, 'keys'> & { keys?: RecordKind['keys'] }): RecordKind {
  return { ...kind, keys: { external_id: { schema: externalId() }, ...keys } };
}
