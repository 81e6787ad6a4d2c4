import { discardFile } from '../../shared/platform/storage/loose-files.ts';
import type { Storage } from '../../shared/platform/storage/storage.ts';
import type { Delivery } from '../kernel/handler.ts';

type Left = { storage_key: string };

/**
 * Removes what earlier tries of a job have left in its area; one that still writes there can keep its file no more. They
 * are looked up in a part of this try, so that one that was overtaken does not remove the file of its successor. Errors:
 * `Overtaken`.
 */
export async function discardEarlier(delivery: Delivery, storage: Storage, area: string): Promise<void> {
  const { database, organization_id } = delivery;
  let left: Left[] = [];
  await delivery.part(async ({ connection }) => {
    left = await connection.query<Left>(
      'SELECT storage_key FROM loose_files WHERE organization_id = $1 AND starts_with(storage_key, $2)',
      [organization_id, `${organization_id}/${area}/`],
    );
  });
  for (const { storage_key } of left) await discardFile({ database, storage }, organization_id, storage_key);
}
