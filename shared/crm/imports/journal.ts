import { hash } from 'node:crypto';
import type { Reader } from '../../kernel/reader.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import type { Work } from '../../kernel/work.ts';
import { type KeptOutcome, keepOutcomes, outcomesOf, overwritten } from '../../platform/imports/outcomes.ts';
import type { Kept } from './records.ts';

/** Of each field that was overwritten the value before all of an import, and its last one. */
export type Overwritten = Record<string, [unknown, unknown]>;

/** What an import did with the records of a chunk, and what earlier chunks did with them. */
export type Journal = {
  /** Whether a row before had this outcome decided. */
  has(key: string): boolean;
  add(outcome: KeptOutcome): void;
  /** The row that named the record of a key first, where that was by another name. */
  otherName(key: string, name: string): number | null;
  /** A row calls the record of a key so; the first one counts. */
  name(key: string, row: number, name: string): void;
  /** The record was changed (again): what it held before all is kept, and the time of the last change. */
  change(key: string, before: Kept, after: Kept, changed_at: string): void;
  /** Collects the statement of what became known since the last call. */
  write(work: Work): void;
};

/** Records made along the way, companies and tags, stand under keys of this form: they are not rows of the file. */
export const ALONG_THE_WAY = '+';

/** What a row is known by where its record is not in the table: in a dry run, which writes none. */
export function keyOfRow(key: string): string {
  return `=${key}`;
}

/** Opens the journal of an import for records of these keys. */
export async function openJournal(
  reader: Reader,
  import_id: string,
  keys: readonly string[],
): Promise<Journal> {
  const known = await outcomesOf(reader, import_id, keys);
  const touched = new Map<string, KeptOutcome>();
  // Names are people's data, which is kept with their records alone.
  const hashOf = (name: string) => hash('sha256', `${import_id} ${name}`, 'base64url').slice(0, 22);
  return {
    has: (key) => known.has(key),
    add(outcome) {
      known.set(outcome.key, outcome);
      touched.set(outcome.key, outcome);
    },
    otherName(key, name) {
      const { named_row = null, name_key } = known.get(key) ?? {};
      return named_row === null || name_key === hashOf(name) ? null : named_row;
    },
    name(key, row, name) {
      const outcome = known.get(key);
      if (!outcome || (outcome.named_row ?? null) !== null) return;
      const named = { ...outcome, named_row: row, name_key: hashOf(name) };
      known.set(key, named);
      touched.set(key, named);
    },
    change(key, before, after, changed_at) {
      const outcome = known.get(key)!;
      const isCreated = outcome.outcome === 'created';
      const changes = isCreated ? outcome.before : overwritten(outcome.before, changesIn(before, after));
      const changed = { ...outcome, before: changes, changed_at };
      known.set(key, changed);
      touched.set(key, changed);
    },
    write(work) {
      keepOutcomes(work, import_id, [...touched.values()]);
      touched.clear();
    },
  };
}

/** The fields that differ, each custom field as one of its own. */
function changesIn(before: Kept, after: Kept): Overwritten {
  const [was, is] = [flat(before), flat(after)];
  const changes: Overwritten = {};
  for (const field of new Set([...Object.keys(was), ...Object.keys(is)])) {
    const [old, fresh] = [was[field] ?? null, is[field] ?? null];
    if (!isSameJson(old, fresh)) changes[field] = [old, fresh];
  }
  return changes;
}

/** A record's fields with each custom field under `custom_fields.<key>`. */
export function flat({ custom_fields, ...fields }: Kept): Kept {
  const own = Object.entries((custom_fields ?? {}) as Kept);
  return { ...fields, ...Object.fromEntries(own.map(([key, value]) => [`custom_fields.${key}`, value])) };
}
