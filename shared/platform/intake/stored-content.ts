import { buffer } from 'node:stream/consumers';
import type { Settings } from '../settings/settings.ts';
import type { Storage } from '../storage/storage.ts';
import { contentKindOf, contentKinds } from './content-kind.ts';
import { HEAD } from './head.ts';
import type { ScanState } from './scanner.ts';

/** The media type that the first bytes of a stored file say. */
export async function contentTypeOf(storage: Storage, storage_key: string, size: number): Promise<string> {
  const head = size === 0 ? Buffer.alloc(0) : await headOf(storage, storage_key, size);
  return contentKinds[contentKindOf(head)];
}

async function headOf(storage: Storage, storage_key: string, size: number): Promise<Buffer> {
  return buffer(await storage.read(storage_key, { start: 0, end: Math.min(size, HEAD) - 1 }));
}

/** What is known of malware in a file that came in pieces, until the scanner reads it from the store. */
export function scanBefore(
  { clamdUrl, clamdMaxBytes }: Pick<Settings, 'clamdUrl' | 'clamdMaxBytes'>,
  size: number,
): ScanState {
  if (!clamdUrl) return 'off';
  return size > clamdMaxBytes ? 'unscanned' : 'pending';
}
