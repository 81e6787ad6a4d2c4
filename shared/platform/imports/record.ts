import { z } from 'zod';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import type { Prefix } from '../../kernel/id.ts';
import { pick } from '../../kernel/record-fields.ts';
import { id, timestamp } from '../../kernel/schema.ts';
import type { Domain } from '../../kernel/scope.ts';
import type { OutcomeCounts, RevertCounts } from './domain.ts';
import { type CommonOptions, conflictRules, type OnConflict } from './options.ts';
import type { FileWarning } from './same-file.ts';

/** Days after its end in which an import can be undone; then its faulty rows and the values from before are swept. */
export const KEPT_DAYS = 30;

/** The same in milliseconds. */
export const KEPT = KEPT_DAYS * 24 * 60 * 60_000;

export const importStatuses = [
  'queued',
  'running',
  'paused',
  'completed',
  'failed',
  'cancelled',
  'reverting',
  'reverted',
] as const;

export type ImportStatus = (typeof importStatuses)[number];

const count = (what: string) => z.int().describe(what);

const counts = {
  created_count: count('Records that the file made.'),
  updated_count: count('Records that it changed.'),
  unchanged_count: count('Records that hold all that the file says already.'),
  skipped_count: count('Records left alone because `on_conflict` is `skip`.'),
  duplicate_count: count('Further rows of a record that the file named before; the last one wins.'),
  suppressed_count: count('Rows of addresses that must not be mailed: nothing of them is written.'),
  error_count: count('Rows with a fault; they stand in the report of errors.'),
};

const ImportWarning = z
  .strictObject({ code: z.string(), message: z.string().describe('For people.') })
  .meta({ id: 'ImportWarning' });

const revert = z.strictObject({
  deleted_count: count('Records that the import made, deleted again.'),
  restored_count: count('Records that have their values from before again.'),
  removed_membership_count: count('Memberships in the list that the import added, removed again.'),
  left_count: count(
    'Records of which something is left as it is, because somebody changed it since; one whose other values are restored counts as restored too.',
  ),
  left: z
    .array(z.strictObject({ code: z.string(), count: z.int() }).meta({ id: 'ImportLeft' }))
    .describe(
      'Why those are left, where the kind of record says so: the code with which deleting the record by itself is refused, and how many records have it.',
    )
    .meta({ examples: [[{ code: 'has_allocations', count: 2 }]] })
    .optional(),
});

/** An import as the API shows it, under the domain's own ID and name; `more` are fields of that domain, or what it means by one of these. */
export function importResource<
  Object extends string,
  More extends z.ZodRawShape = Record<never, never>,
>(options: { prefix: Prefix; object: Object; name: string; more: More }) {
  return z
    .strictObject({
      id: id(options.prefix),
      object: z.literal(options.object),
      job_id: id('job').nullable().describe('The job that works on it; `paused` while it is.'),
      file_name: z.string().meta({ examples: ['顧客名簿.csv'] }),
      file_bytes: z.int(),
      encoding: z
        .enum(['utf-8', 'utf-16le', 'utf-16be', 'shift_jis'])
        .nullable()
        .describe('null until it is known.'),
      delimiter: z.enum(['comma', 'tab', 'semicolon']).nullable(),
      has_header: z.boolean().nullable(),
      mapping: z
        .record(z.string(), z.string())
        .nullable()
        .describe('Field by column, as it is applied.')
        .meta({ examples: [{ メールアドレス: 'email', 氏名: 'full_name' }] }),
      ignored_columns: z
        .array(z.string())
        .nullable()
        .describe('Columns of the file of which nothing is read; null until they are known.')
        .meta({ examples: [['支払サイト区分']] }),
      same_file_as: z
        .array(z.string())
        .describe(
          'Imports of this kind that took rows of the same file (byte for byte) before, newest first, at most 5, as it was when this one was asked for. Dry runs do not count, nor what was undone with nothing left behind.',
        )
        .meta({ examples: [[]] }),
      warnings: z
        .array(ImportWarning)
        .describe('What is odd about the file, though it was taken.')
        .meta({ examples: [[]] }),
      on_conflict: z.enum(conflictRules),
      dry_run: z.boolean(),
      status: z.enum(importStatuses),
      error: z
        .strictObject({ code: z.string(), message: z.string() })
        .nullable()
        .describe('Why it failed.')
        .meta({ examples: [null] }),
      total_rows: z.int().nullable().describe('Rows of the file; null until all of it is read.'),
      processed_rows: z.int(),
      ...counts,
      ...options.more,
      rows_per_second: z.number().describe('While it ran.'),
      revert: revert.nullable().describe('What undoing it did; null before.'),
      started_at: timestamp().nullable(),
      finished_at: timestamp().nullable(),
      expires_at: timestamp()
        .nullable()
        .describe(
          'Until when it can be undone and its faulty rows can be read; then they are removed, and `error_count` alone tells of them. null until it has ended.',
        ),
      created_by: id('usr').nullable(),
      created_at: timestamp(),
      updated_at: timestamp(),
    })
    .meta({ id: options.name });
}

type Counts = { [Name in Exclude<keyof OutcomeCounts, never> as `${Name}_count`]: number };

/** A row of the table; counts are named as the API names them. */
export type ImportRecord = Counts & {
  id: string;
  kind: string;
  list_id: string | null;
  job_id: string | null;
  status: ImportStatus;
  error: { code: string; message: string } | null;
  file_name: string;
  file_bytes: number;
  /** In hexadecimal; null in imports of before. */
  file_sha256: string | null;
  storage_key: string | null;
  options: CommonOptions;
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'shift_jis' | null;
  delimiter: 'comma' | 'tab' | 'semicolon' | null;
  has_header: boolean | null;
  columns: string[] | null;
  mapping: Record<string, string> | null;
  ignored_columns: string[] | null;
  same_file_as: string[] | null;
  warnings: FileWarning[] | null;
  on_conflict: OnConflict;
  dry_run: boolean;
  checkpoint_byte: number | null;
  checkpoint_row: number | null;
  total_rows: number | null;
  processed_rows: number;
  /** Rows without fault that wait for the end of their file; `processed_rows` does not have them yet. */
  waiting_rows: number;
  /** Records that were made of several rows each; 0 where a record is a row. */
  record_count: number;
  running_milliseconds: number;
  first_id: string | null;
  last_id: string | null;
  revert: RevertState | null;
  actor_type: 'user' | 'api_key' | 'guest' | 'system';
  actor_id: string;
  created_by: string | null;
  request_id: string | null;
  created_at: string;
  updated_at: string;
  started_at: string | null;
  finished_at: string | null;
  reverted_at: string | null;
};

/** How far a revert is: `from` is the status that it began at, `after` where its next batch goes on. */
export type RevertState = RevertCounts & { from: ImportStatus; after: string | null };

export class ImportModel extends TenantModel {
  static override tableName = 'imports';
  static override jsonAttributes = [
    'error',
    'options',
    'columns',
    'mapping',
    'ignored_columns',
    'same_file_as',
    'warnings',
    'revert',
  ];
}

/** What the API shows of a row is made from these; the rest is for the worker. */
export const importColumns = [
  'id',
  'kind',
  'list_id',
  'job_id',
  'status',
  'error',
  'file_name',
  'file_bytes',
  'encoding',
  'delimiter',
  'has_header',
  'options',
  'columns',
  'mapping',
  'ignored_columns',
  'same_file_as',
  'warnings',
  'on_conflict',
  'dry_run',
  'total_rows',
  'processed_rows',
  'record_count',
  'created_count',
  'updated_count',
  'unchanged_count',
  'skipped_count',
  'duplicate_count',
  'suppressed_count',
  'error_count',
  'running_milliseconds',
  'revert',
  'started_at',
  'finished_at',
  'created_by',
  'created_at',
  'updated_at',
] as const;

/** The facts of imports of a domain: one entry for the whole, with its counts, and one when it is undone. */
export function importFacts(domain: Domain) {
  return factsOf({ domain, entity_type: 'import', computed: ['rows_per_second', 'job_id', 'expires_at'] });
}

/** The fields that all domains show; `id` and `object` are the domain's. */
export function shownImport(row: ImportRecord) {
  const seconds = row.running_milliseconds / 1000;
  return {
    job_id: row.job_id,
    file_name: row.file_name,
    file_bytes: row.file_bytes,
    encoding: row.encoding,
    delimiter: row.delimiter,
    has_header: row.has_header,
    mapping: row.mapping,
    ignored_columns: row.ignored_columns,
    same_file_as: row.same_file_as ?? [],
    warnings: row.warnings ?? [],
    on_conflict: row.on_conflict,
    dry_run: row.dry_run,
    status: row.status,
    error: row.error,
    total_rows: row.total_rows,
    processed_rows: row.processed_rows,
    created_count: row.created_count,
    updated_count: row.updated_count,
    unchanged_count: row.unchanged_count,
    skipped_count: row.skipped_count,
    duplicate_count: row.duplicate_count,
    suppressed_count: row.suppressed_count,
    error_count: row.error_count,
    rows_per_second: seconds > 0 ? Math.round(row.processed_rows / seconds) : 0,
    revert: row.revert && shownRevert(row.revert),
    started_at: row.started_at,
    finished_at: row.finished_at,
    expires_at: row.finished_at && new Date(Date.parse(row.finished_at) + KEPT).toISOString(),
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** The same of what a revert did. */
export function shownRevert({ left_by, ...state }: RevertState): z.output<typeof revert> {
  // What a newer release keeps beside them is not told.
  const counts = pick(state, ['deleted_count', 'restored_count', 'removed_membership_count', 'left_count']);
  if (!left_by) return counts;
  const codes = Object.keys(left_by).toSorted();
  return { ...counts, left: codes.map((code) => ({ code, count: left_by[code]! })) };
}
