import { Failure, notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';

type Row = {
  storage_key: string;
  file_name: string;
  content_type: string;
  size_bytes: number;
  sha256: string;
  created_at: string;
  is_quarantined: boolean;
};

/**
 * A file of a response as it is handed out: to be saved, since a stranger sent it. Errors: `not_found`, `quarantined` for one in
 * which malware was found after it came.
 */
export async function fileOfResponse(
  { connection, organization_id }: Reader,
  { id, response_id, file_id }: { id: string; response_id: string; file_id: string },
) {
  const [row] = await connection.query<Row>(
    `SELECT file.storage_key, file.file_name, file.content_type, file.size_bytes::integer AS size_bytes, file.sha256,
         file.created_at, coalesce(content.scan = 'quarantined', false) AS is_quarantined
       FROM forms_files AS file
       JOIN forms_forms AS form ON form.organization_id = file.organization_id AND form.id = file.form_id
       LEFT JOIN files AS content
         ON content.organization_id = file.organization_id AND content.storage_key = file.storage_key
      WHERE file.organization_id = $1 AND file.id = $2 AND file.response_id = $3 AND file.form_id = $4`,
    [organization_id, file_id, response_id, id],
  );
  if (!row) throw notFound();
  if (row.is_quarantined) throw new Failure('quarantined');
  const { storage_key, file_name, content_type: media_type, size_bytes: size, sha256, created_at } = row;
  const delivery = { disposition: 'attachment', is_sandboxed: true } as const;
  return { storage_key, file_name, media_type, size, sha256, created_at, delivery };
}
