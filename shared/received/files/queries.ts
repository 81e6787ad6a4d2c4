import { oneOf } from '../../db/one-of.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { ReceivedKind } from '../documents/kinds.ts';
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
      WHERE organization_id = $1 AND document_id = ${oneOf('$2')} ORDER BY document_id, position`,
    [organization_id, document_ids],
  );
  return Map.groupBy(rows.map(rowOf), ({ document_id }) => document_id);
}

/** A file of a document as it is handed out, which is of that kind. Errors: `not_found`. */
export async function contentOfFile(
  { connection, organization_id }: Reader,
  { kind, id, file_id, disposition = 'attachment' }: AskedFile,
) {
  const [row] = await connection.query<FileRow>(
    `SELECT ${COLUMNS} FROM received_files WHERE organization_id = $1 AND id = $2 AND document_id = $3
        AND EXISTS (SELECT FROM received_documents WHERE organization_id = $1 AND id = $3 AND kind = $4)`,
    [organization_id, file_id, id, kind],
  );
  if (!row) throw notFound();
  const { storage_key, file_name, content_type, size_bytes: size, sha256, uploaded_at } = rowOf(row);
  return {
    storage_key,
    file_name,
    media_type: content_type,
    size,
    sha256,
    created_at: uploaded_at,
    delivery: { etag: `"sha256:${sha256}"`, disposition },
  };
}

type AskedFile = {
  kind: ReceivedKind;
  id: string;
  file_id: string;
  disposition: 'attachment' | 'inline' | undefined;
};

function rowOf(row: FileRow): FileRow {
  return { ...row, size_bytes: Number(row.size_bytes) };
}
