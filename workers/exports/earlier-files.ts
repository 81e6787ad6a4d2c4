import { discardFile, type Files } from '../../shared/storage/loose-files.ts';

/** Removes what earlier tries of a job have left in its area; one that still writes there can keep its file no more. */
export async function discardEarlier(files: Files, organization_id: string, area: string): Promise<void> {
  const left = await files.database.withConnection(organization_id, ({ query }) =>
    query<{ storage_key: string }>(
      'SELECT storage_key FROM loose_files WHERE organization_id = $1 AND starts_with(storage_key, $2)',
      [organization_id, `${organization_id}/${area}/`],
    ),
  );
  for (const { storage_key } of left) await discardFile(files, organization_id, storage_key);
}
