/**
 * `node sending-pieces.ts SETTINGS KEY SIZE`: adds piece after piece to a file of `patternBytes`, finishes it, and writes
 * a line for each number of bytes that it was answered. A test kills it in between.
 */
import { openStorage } from '../../shared/platform/storage/open.ts';
import { chunked } from './stores.ts';

/** Bytes that every process knows by their place in the file. */
export function patternBytes(start: number, end: number): Buffer {
  const bytes = Buffer.alloc(end - start);
  for (let at = start; at < end; at++) bytes[at - start] = (at * 2_654_435_761) >>> 24;
  return bytes;
}

async function sendPieces(settings: string, key: string, size: number): Promise<void> {
  const storage = await openStorage(JSON.parse(settings));
  let at = await storage.received(key);
  process.stdout.write(`${at}\n`);
  while (at < size) {
    const end = Math.min(size, at + 1 + Math.floor(Math.random() * 2_500_000));
    ({ received: at } = await storage.append(key, at, chunked(patternBytes(at, end)), { limit: size }));
    process.stdout.write(`${at}\n`);
  }
  await storage.finish(key, size);
}

if (import.meta.main) {
  const [settings = '', key = '', size = ''] = process.argv.slice(2);
  await sendPieces(settings, key, Number(size));
}
