import { createHash } from 'node:crypto';
import type { WrittenFile } from './declarations.ts';

type Written = { file_name: string; media_type: string; text: string; created_at: string };

/** A file that is written for the request that asks for it. */
export function writtenFile({ file_name, media_type, text, created_at }: Written): WrittenFile {
  const content = Buffer.from(text);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { file_name, media_type, content, size: content.length, sha256, created_at };
}
