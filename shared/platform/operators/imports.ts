import type { Connection } from '../../kernel/connection.ts';
import type { ImportStatus } from '../imports/record.ts';

/** An import of any domain as operators see it: how it goes, and nothing of what stands in its rows. */
export type ImportState = {
  organization_id: string;
  organization_name: string | null;
  id: string;
  kind: string;
  status: ImportStatus;
  error: { code: string; message: string } | null;
  job_id: string | null;
  file_bytes: number;
  encoding: string | null;
  delimiter: string | null;
  on_conflict: string;
  dry_run: boolean;
  checkpoint_byte: number | null;
  checkpoint_row: number | null;
  total_rows: number | null;
  processed_rows: number;
  created_count: number;
  updated_count: number;
  unchanged_count: number;
  skipped_count: number;
  duplicate_count: number;
  suppressed_count: number;
  error_count: number;
  /** How long it has really worked, without pauses and waits. */
  running_milliseconds: number;
  created_at: string;
  updated_at: string;
  started_at: string | null;
  finished_at: string | null;
  reverted_at: string | null;
  /** The delivery that does its work, while there is one. */
  delivery_id: string | null;
  /** Why its last try failed; null where none has. */
  delivery_error: string | null;
};

const COLUMNS = `i.organization_id, organizations.name AS organization_name, i.id, i.kind, i.status, i.error, i.job_id,
  i.file_bytes, i.encoding, i.delimiter, i.on_conflict, i.dry_run, i.checkpoint_byte, i.checkpoint_row, i.total_rows,
  i.processed_rows, i.created_count, i.updated_count, i.unchanged_count, i.skipped_count, i.duplicate_count,
  i.suppressed_count, i.error_count, i.running_milliseconds, i.created_at, i.updated_at, i.started_at, i.finished_at,
  i.reverted_at, delivery.id AS delivery_id, delivery.error AS delivery_error`;

const FROM = `FROM imports i LEFT JOIN organizations ON organizations.id = i.organization_id
  LEFT JOIN LATERAL (SELECT o.id, o.error FROM outbox o
    WHERE o.organization_id = i.organization_id AND o.queue = 'csv-import' AND o.job_id = i.job_id LIMIT 1
  ) delivery ON true`;

export type ImportFilters = {
  status?: ImportStatus | undefined;
  kind?: string | undefined;
  organization_id?: string | undefined;
};

/** A window of the imports of all organizations, the newest first, and how many there are in all. */
export async function importPage(
  connection: Connection,
  { status, kind, organization_id }: ImportFilters,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ImportState[]; total: number }> {
  const condition = `($1::text IS NULL OR i.status = $1) AND ($2::text IS NULL OR i.kind = $2)
    AND ($3::text IS NULL OR i.organization_id = $3)`;
  const values = [status ?? null, kind ?? null, organization_id ?? null];
  const rows = await connection.query<ImportState>(
    `SELECT ${COLUMNS} ${FROM} WHERE ${condition} ORDER BY i.created_at DESC, i.id DESC LIMIT $4 OFFSET $5`,
    [...values, limit, offset],
    { prepared: false },
  );
  const [count] = await connection.query<{ total: number }>(
    `SELECT count(*)::integer AS total FROM imports i WHERE ${condition}`,
    values,
    { prepared: false },
  );
  return { rows, total: count?.total ?? 0 };
}

type Which = { organization_id: string; id: string };

/** One import; null when there is none. */
export async function importById(connection: Connection, which: Which): Promise<ImportState | null> {
  const [row] = await connection.query<ImportState>(
    `SELECT ${COLUMNS} ${FROM} WHERE i.organization_id = $1 AND i.id = $2`,
    [which.organization_id, which.id],
  );
  return row ?? null;
}

/** Where a row of the file was wrong and why. Its cells are people's data, and are for the organization alone. */
export type ImportFault = { row: number; column: string | null; code: string };

/** The first faulty rows of an import, and how many there are for each reason. */
export async function importFaults(
  connection: Connection,
  { organization_id, id }: Which,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ImportFault[]; reasons: { code: string; column: string | null; count: number }[] }> {
  const values = [organization_id, id];
  const condition = 'organization_id = $1 AND import_id = $2';
  const rows = await connection.query<ImportFault>(
    `SELECT row, "column", code FROM import_errors WHERE ${condition} ORDER BY id LIMIT $3 OFFSET $4`,
    [...values, limit, offset],
  );
  const reasons = await connection.query<{ code: string; column: string | null; count: number }>(
    `SELECT code, "column", count(*)::integer AS count FROM import_errors WHERE ${condition}
     GROUP BY code, "column" ORDER BY count DESC, code, "column" LIMIT 20`,
    values,
  );
  return { rows, reasons };
}

/** How many imports are open, by status. */
export async function openImports(
  connection: Connection,
): Promise<{ status: ImportStatus; count: number }[]> {
  return connection.query(
    `SELECT status, count(*)::integer AS count FROM imports
     WHERE status IN ('queued', 'running', 'paused', 'reverting') GROUP BY status`,
  );
}

const OUTCOMES = ['created', 'updated', 'unchanged', 'skipped', 'duplicate', 'suppressed', 'error'] as const;

/** The outcomes of the rows of all imports; imports are never removed. */
export async function importTotals(
  connection: Connection,
): Promise<Record<(typeof OUTCOMES)[number], number>> {
  const sums = OUTCOMES.map((outcome) => `COALESCE(sum(${outcome}_count), 0)::bigint AS ${outcome}`);
  const [row] = await connection.query<Record<(typeof OUTCOMES)[number], number>>(
    `SELECT ${sums.join(', ')} FROM imports`,
  );
  return row!;
}
