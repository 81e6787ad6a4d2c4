import { z } from 'zod';
import { id, timestamp } from '../../kernel/schema.ts';
import type { Table } from '../../kernel/work.ts';
import type { ContentKind } from '../../platform/intake/content-kind.ts';

/** Bytes that a file may have. */
export const MOST_FILE_BYTES = 50 * 1024 ** 2;

/** Files that a request may bring, and those that a document may have. */
export const MOST_UPLOADS = 10;
export const MOST_FILES = 100;

/** What a file may be by its content; texts by their names too. */
export const receivedContents = [
  'pdf',
  'jpeg',
  'png',
  'webp',
  'heic',
  'xlsx',
  'xml',
  'text',
] as const satisfies ContentKind[];

/** A file of a received document, as the API shows it. */
export const ReceivedFile = z
  .strictObject({
    id: id('rfile'),
    file_name: z.string().meta({ examples: ['請求書.pdf'] }),
    content_type: z
      .string()
      .describe('As its bytes say, and of a text its name.')
      .meta({ examples: ['application/pdf'] }),
    size_bytes: z.int().meta({ examples: [48_213] }),
    sha256: z
      .string()
      .describe('Of its bytes as they came, in hexadecimal.')
      .meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] }),
    uploaded_at: timestamp(),
    uploaded_by: id('usr').nullable(),
    superseded_by: id('rfile')
      .nullable()
      .describe('The file that stands in its place; it is kept all the same.')
      .meta({ examples: [null] }),
  })
  .meta({ id: 'ReceivedFile' });

export type ReceivedFile = z.output<typeof ReceivedFile>;

/** A file as it is kept. */
export type FileRow = ReceivedFile & {
  document_id: string;
  /** From 1, in the order in which they came. */
  position: number;
  storage_key: string;
  /** Whether it is a PDF that is damaged or locked, or a picture that could not be decoded. */
  is_unreadable: boolean;
};

export const RECEIVED_FILES: Table = { tableName: 'received_files' };

/** A file as the API shows it. */
export function shownFile(row: FileRow): ReceivedFile {
  const { document_id, position, storage_key, is_unreadable, ...shown } = row;
  return shown;
}
