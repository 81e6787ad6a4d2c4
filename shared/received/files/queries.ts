import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { FileRow } from './record.ts';

const COLUMNS = `id, document_id, position, file_name, content_type, size_bytes, sha256, storage_key, is_unreadable,
  superseded_by, uploaded_by, uploaded_at`;

/** The files of documents by the documents' IDs, in the order in which they came; without documents that have none. */
export async function filesOf(
  { connection, organization_id }: Reader,
  document_ids: readonly string[],
): Promise<Map<string, FileRow[]>> {
  if (document_ids.length === 0) return new Map();
  const rows = await connection.query<FileRow>(
    `SELECT ${COLUMNS} FROM received_files
      WHERE organization_id = $1 AND document_id = ANY ($2) ORDER BY document_id, position`,
    [organization_id, document_ids],
  );
  return Map.groupBy(rows.map(rowOf), ({ document_id }) => document_id);
}

/** One file of a document. Errors: `not_found`. */
export async function fileOfDocument(
  { connection, organization_id }: Reader,
  document_id: string,
  id: string,
): Promise<FileRow> {
  const [row] = await connection.query<FileRow>(
    `SELECT ${COLUMNS} FROM received_files WHERE organization_id = $1 AND id = $2 AND document_id = $3`,
    [organization_id, id, document_id],
  );
  if (!row) throw notFound();
  return rowOf(row);
}

function rowOf(row: FileRow): FileRow {
  return { ...row, size_bytes: Number(row.size_bytes) };
}
