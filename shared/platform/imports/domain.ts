import type { z } from 'zod';
import type { Bulk } from '../../db/bulk.ts';
import type { Prefix } from '../../kernel/id.ts';
import type { Text } from '../../kernel/language.ts';
import type { Actor, Reader } from '../../kernel/reader.ts';
import type { Domain, DomainName, Scope } from '../../kernel/scope.ts';
import type { Work } from '../../kernel/work.ts';
import type { Bookkeeping } from '../bookkeeping.ts';
import type { Reference } from '../references.ts';
import type { CommonOptions, OnConflict } from './options.ts';
import type { ImportField } from './reading/field.ts';

/** What domains above hand to an import: the columns of all domains that refer to records, and the books of what it makes. */
export type ImportGiven = { references: readonly Reference[]; bookkeeping: Bookkeeping };

/** What a domain configures the engine with: one value for each kind of record that can be imported. */
export type ImportDomain<Options extends CommonOptions = CommonOptions> = {
  /** `mail.contacts`; the job's kind is this with `.import` behind it. */
  kind: DomainName;
  /** What it takes in, for operators. */
  title: Text;
  /** Of the IDs of its imports. */
  prefix: Prefix;
  domain: Domain;
  scope: Scope;
  /** All options, common ones included; what is stored of them is its output. */
  options: z.ZodType<Options>;
  /**
   * Checks what the options say before anything is queued, and answers what is kept of them. Errors: `unknown_reference`,
   * `validation_failed`.
   */
  check(reader: Reader, options: Options): Promise<Options>;
  /** The fields that columns can be mapped to; an organization may have fields of its own. */
  fields(reader: Reader): Promise<readonly ImportField[]>;
  /** What an export of these records is known by. */
  exported?: OwnExport;
  /**
   * Whether lines of other shapes may stand above the header, as those with the account in statements of banks: the header is
   * then looked for among the first lines.
   */
  has_preamble?: true;
  /** What is odd about a row, or that it has a fault, by the values of its cells: a preview says it. */
  remarkOn?(row: Pick<ImportRow, 'values' | 'faulty_fields'>, mapped: readonly string[]): RowRemark | null;
  /**
   * Whether one of the first rows of a file has nothing that its record is known by when the file comes in again, so that it
   * would be there twice. Absent where every record is known: by what it must have, or by all that its row says.
   */
  makesAnew?(rows: readonly UnitRow[], options: Options): boolean;
  /** Begins a run or resumes one; what is read once for all chunks is read here. */
  open(reader: Reader, run: ImportRun<Options>, given: ImportGiven): Promise<ImportSession>;
  /**
   * Undoes a batch of what the import did, from `after` (null at first) on; `next` is null when nothing is left. Each
   * call is a transaction of its own; the import's row is locked.
   */
  revert(work: Work, run: ImportRun<Options>, after: string | null, given: ImportGiven): Promise<RevertBatch>;
};

/** What a preview says of a row; the sentence is one of the domain's warnings. */
export type RowRemark = { code: string; message: string };

/**
 * A file whose column `id` has IDs of this prefix is an export of the same records: it may have more columns than others,
 * and its `columns` are fields of ours, which are never kept as attributes.
 */
export type OwnExport = { prefix: Prefix; columns: readonly string[] };

/** An import as a run sees it. */
export type ImportRun<Options extends CommonOptions = CommonOptions> = {
  import_id: string;
  options: Options;
  on_conflict: OnConflict;
  /** Nothing but outcomes and errors may be written. */
  dry_run: boolean;
  /** The names of the fields that columns are mapped to. */
  mapped: readonly string[];
  /** Who asked; the works of the chunks act as this one. */
  actor: Actor;
  /** Bounds of the IDs that this import gave to records, as `merge` said them. */
  first_id: string | null;
  last_id: string | null;
};

/** Takes the rows of a run, chunk by chunk, in the order of the file. */
export type ImportSession = {
  /** The most rows a chunk may have. */
  chunk_rows: number;
  /**
   * Whether a row with more or fewer cells than the header is read all the same, blank cells added or those beyond left out:
   * one that is no record, as the sums below a statement.
   */
  evens?(cells: readonly string[]): boolean;
  /** Whether `merge` is handed rows with faulty cells too, to tell what else is wrong with them. */
  judges_faulty?: true;
  /**
   * Divides the file into records of several rows, which no chunk cuts; begun anew where a run begins or goes on. `merge`
   * is then handed every row, those that cannot be read without values.
   */
  units?(): UnitReader;
  /**
   * What the record is known by that a row is of, where the rows of a record may stand anywhere in the file; no database
   * here. Such rows wait until the file is read to its end. `merge` is then handed them in the order of these keys, those
   * of a key together, so their values must be JSON. Null where a row with faults does not say: it is in the report alone.
   */
  keyOf?(row: ImportRow): string | null;
  /**
   * Takes the rows of a chunk that begins `now`, while the database is busy with the chunk before; no database here.
   * `merge` is handed what comes of it, and no rows.
   */
  gather?(now: Date): Gathering;
  /**
   * Writes the rows in the chunk's transaction, which is rolled back and run again when it lost against another one:
   * a call must not rely on what an earlier call with the same rows left in memory.
   */
  merge(work: Work, bulk: Bulk, rows: readonly ImportRow[], prepared: unknown): Promise<Merged>;
  /** The tables in which the next chunk looks rows up, or refers to them: the planner has to know how large they are. */
  lookedUp(): readonly string[];
  /** Tables that the import lets grow: they are analyzed at its end. */
  filled(): readonly string[];
  /** Before the first chunk on a new connection: temporary tables. */
  begin?(bulk: Bulk): Promise<void>;
};

/** Tells the records of several rows apart. */
export type UnitReader = {
  /** Whether a record begins with the row; called for each in the order of the file. */
  begins(row: UnitRow): boolean;
};

/** A row as records are told apart by: the trimmed cell of a field, blank where it has none or the row cannot be read. */
export type UnitRow = { is_readable: boolean; cell(field: string): string };

/** Makes rows ready for the database one by one, in the order of the file, so that none has to be kept. */
export type Gathering = { take(row: ImportRow): void; done(): unknown };

/** A row without faults of its own, unless `faulty_fields` says otherwise. */
export type ImportRow = {
  /** As a spreadsheet numbers it. */
  row: number;
  cells: readonly string[];
  /** By field; undefined where the cell is blank: it changes nothing. */
  values: Readonly<Record<string, unknown>>;
  /** Cells of columns without a field, by their header, where `keep_unmapped` asks for them. */
  unmapped: Readonly<Record<string, string>> | null;
  /**
   * The fields whose cells have faults, which are told and counted already: such a row is never written. Their values
   * are undefined. A row that cannot be read has none, or where keys are asked for, those of its cells that fit.
   */
  faulty_fields?: readonly string[];
  /** The number of the row at which its record begins, where records have several rows. */
  unit?: number;
};

export const outcomes = [
  'created',
  'updated',
  'unchanged',
  'skipped',
  'duplicate',
  'suppressed',
  'error',
] as const;

export type Outcome = (typeof outcomes)[number];

export type OutcomeCounts = Record<Outcome, number>;

/** The result of a chunk: each row is counted once, as one of the outcomes. */
export type Merged = {
  counts: OutcomeCounts;
  /**
   * Faults that only the database could tell; a row with several has several entries, and is one `error`. `column` may
   * name a field: the engine says the header of its column.
   */
  faults: readonly CellError[];
  /** The lowest and highest ID that the chunk gave to new records, where `revert` wants to know. */
  ids?: { first: string; last: string } | null;
  /** How many records were made, where a record has several rows. */
  records?: number;
};

/** Why a row was refused. `column` is the header of the column, or its number from 1; null where none is to blame. */
export type CellError = {
  row: number;
  cells: readonly string[];
  code: string;
  column: string | null;
  /** A string is the English alone; the Japanese is then that of the code. */
  message: Text | string;
};

export type RevertBatch = { next: string | null; counts: RevertCounts };

/**
 * What a revert did: records deleted, given their values back, memberships removed, and records left as they are; of those, where
 * the domain says why, how many are left for what (`left_by`, by codes of errors).
 */
export type RevertCounts = {
  left_by?: Readonly<Record<string, number>>;
  deleted_count: number;
  restored_count: number;
  removed_membership_count: number;
  left_count: number;
};

/** No row of any outcome. */
export function noCounts(): OutcomeCounts {
  return { created: 0, updated: 0, unchanged: 0, skipped: 0, duplicate: 0, suppressed: 0, error: 0 };
}
