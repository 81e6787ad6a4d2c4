import type { Storage } from '../../platform/storage/storage.ts';
import type { UploadRow } from './record.ts';

/**
 * How many bytes of an upload the store has: never fewer than were answered before. A process may have been killed after it
 * made the file of them.
 */
export async function arrivedBytes(
  storage: Storage,
  { storage_key, size_bytes }: Pick<UploadRow, 'storage_key' | 'size_bytes'>,
): Promise<number> {
  const file = await storage.stat(storage_key!);
  return file?.size === size_bytes ? size_bytes : storage.received(storage_key!);
}
