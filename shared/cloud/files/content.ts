import type { Reader } from '../../kernel/reader.ts';
import { requireReadable, seenFile } from './queries.ts';

/** What a download of a file is made of: the stored bytes, and how they are handed out. */
export type ContentAsked = {
  disposition?: 'attachment' | 'inline' | undefined;
  redirect?: boolean | undefined;
};

/** The content's own ETag, with its quotation marks. */
export function contentETag(sha256: string): string {
  return `"sha256:${sha256}"`;
}

/** The current content of a file. Errors: `not_found`, `quarantined`. */
export async function contentOfFile(reader: Reader, id: string, asked: ContentAsked) {
  const { row } = await seenFile(reader, id);
  return served(reader, row.name, { ...row, created_at: row.updated_at }, asked);
}

/** Content as it is handed out. Errors: `quarantined`. */
export async function served(
  reader: Reader,
  file_name: string,
  content: {
    storage_key: string;
    content_type: string;
    size_bytes: number;
    sha256: string;
    created_at: string;
  },
  { disposition = 'attachment', redirect = false }: ContentAsked,
) {
  await requireReadable(reader, content.storage_key);
  return {
    storage_key: content.storage_key,
    file_name,
    media_type: content.content_type,
    size: content.size_bytes,
    sha256: content.sha256,
    created_at: content.created_at,
    delivery: { etag: contentETag(content.sha256), disposition, redirect },
  };
}
