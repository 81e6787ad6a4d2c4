import type { Bulk } from '../../../db/bulk.ts';
import type { Reader } from '../../../kernel/reader.ts';
import type { Work } from '../../../kernel/work.ts';
import { reasons } from '../../operators/reasons.ts';
import { copyValue } from '../copy-text.ts';
import type { ImportRow } from '../domain.ts';
import { ImportFailure } from '../import-failure.ts';

/** What the rows of one key may have: they are held together, and written by one transaction. */
const MOST_ROWS = 20_000;
const MOST_BYTES = 16 * 1024 * 1024;

/** Bytes of rows from which on a part takes no further key. */
const PART_BYTES = 2 * 1024 * 1024;

/** Rows that wait for the end of their file, with the record that each belongs to. */
export type Waiting = { key: string; row: ImportRow };

/** Keeps the rows of a chunk until the file is read to its end. */
export async function keepWaiting(
  work: Work,
  bulk: Bulk,
  import_id: string,
  waiting: readonly Waiting[],
): Promise<void> {
  if (waiting.length === 0) return;
  const lines = waiting.map(({ key, row: { row, cells, values, faulty_fields } }) => {
    const texts = [JSON.stringify(cells), JSON.stringify(values)];
    const faulty = faulty_fields === undefined ? null : JSON.stringify(faulty_fields);
    const bytes = texts.reduce((sum, text) => sum + text.length, 0);
    const columns = [copyValue(key), row, ...texts.map(copyValue), copyValue(faulty), bytes];
    return `${work.organization_id}\t${import_id}\t${columns.join('\t')}\n`;
  });
  await bulk.copyIn(
    'COPY import_rows (organization_id, import_id, key, row, cells, fields, faulty_fields, bytes) FROM STDIN',
    [Buffer.from(lines.join(''))],
  );
}

/** All waiting rows of the next records, and the last of their keys. */
export type WaitingPart = { until: string; rows: ImportRow[] };

type Kept = {
  key: string;
  row: number;
  cells: string[];
  fields: Record<string, unknown>;
  faulty_fields: string[] | null;
};

/**
 * The waiting rows of the next keys, about so many and never a part of a key; null where none wait. Errors:
 * `record_too_long`, which fails the import.
 */
export async function nextWaiting(
  { connection, organization_id }: Reader,
  import_id: string,
  most: number,
): Promise<WaitingPart | null> {
  const [last] = await connection.query<{ key: string }>(
    `SELECT key FROM (
       SELECT key, sum(bytes) OVER (ORDER BY key, row ROWS UNBOUNDED PRECEDING) - bytes AS bytes_before
         FROM import_rows WHERE organization_id = $1 AND import_id = $2 ORDER BY key, row LIMIT $3) AS next
      WHERE bytes_before < ${PART_BYTES} ORDER BY key DESC LIMIT 1`,
    [organization_id, import_id, most],
  );
  if (!last) return null;
  const until = last.key;
  const [long] = await connection.query<{ row: number }>(
    `SELECT min(row) AS row FROM import_rows WHERE organization_id = $1 AND import_id = $2 AND key <= $3
      GROUP BY key HAVING count(*) > ${MOST_ROWS} OR sum(bytes) > ${MOST_BYTES} LIMIT 1`,
    [organization_id, import_id, until],
  );
  if (long) throw tooLong(long.row);
  const kept = await connection.query<Kept>(
    `SELECT key, row, cells, fields, faulty_fields FROM import_rows
      WHERE organization_id = $1 AND import_id = $2 AND key <= $3 ORDER BY key, row`,
    [organization_id, import_id, until],
  );
  let [unit, key] = [0, ''];
  const rows = kept.map(({ key: own, row, cells, fields: values, faulty_fields }): ImportRow => {
    if (own !== key) [unit, key] = [row, own];
    return { row, cells, values, unmapped: null, unit, ...(faulty_fields && { faulty_fields }) };
  });
  return { until, rows };
}

/** Forgets the waiting rows up to a key, which were merged; all of them where none is said. */
export function forgetWaiting(work: Work, import_id: string, until: string | null = null): void {
  work.run(
    'DELETE FROM import_rows WHERE organization_id = $1 AND import_id = $2 AND ($3::text IS NULL OR key <= $3)',
    [work.organization_id, import_id, until],
  );
}

function tooLong(row: number): ImportFailure {
  return new ImportFailure('record_too_long', reasons.scattered_too_long(row, MOST_ROWS).en);
}
