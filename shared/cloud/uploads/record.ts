import { z } from 'zod';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import type { FailureCode } from '../../kernel/failures.ts';
import { id, timestamp } from '../../kernel/schema.ts';
import type { ScanState } from '../../platform/intake/scanner.ts';
import { itemName } from '../names.ts';

export const uploadStatuses = [
  'receiving',
  'completing',
  'completed',
  'failed',
  'aborted',
  'expired',
] as const;

export type UploadStatus = (typeof uploadStatuses)[number];

/** An upload that may be resumed, as the API shows one. */
export const CloudUpload = z
  .strictObject({
    id: id('upl'),
    object: z.literal('cloud.upload'),
    file_name: z.string().meta({ examples: ['見積書.pdf'] }),
    folder_id: id('fold').nullable().describe('Where it goes; null for the root.'),
    file_id: id('file')
      .nullable()
      .describe('The file that it becomes a version of; null for one by its name.')
      .meta({ examples: [null] }),
    size_bytes: z.int().meta({ examples: [48_213] }),
    offset: z
      .int()
      .describe('Bytes that have arrived and are safe.')
      .meta({ examples: [16_384] }),
    status: z
      .enum(uploadStatuses)
      .describe(
        '`completing`: all has arrived, and a worker reads it once. `failed`: `error` says why; the bytes stay until `expires_at`.',
      )
      .meta({ examples: ['receiving'] }),
    error: z
      .string()
      .nullable()
      .describe('The code of the failure.')
      .meta({ examples: [null] }),
    expires_at: timestamp().describe('When the bytes go: 24 hours after the last one has arrived.'),
    result_file_id: id('file')
      .nullable()
      .describe('The file that came of it.')
      .meta({ examples: [null] }),
    created_by: id('usr'),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'CloudUpload' });

export type CloudUpload = z.output<typeof CloudUpload>;

/** Where the bytes of a failed upload go. */
export const UploadPlace = z.strictObject({
  folder_id: id('fold').nullable().describe('The folder; null, or left out, for the root.').optional(),
  name: itemName().describe('The name that it was sent with unless said.').optional(),
});

export type UploadPlace = z.output<typeof UploadPlace>;

export class UploadModel extends TenantModel {
  static override tableName = 'cloud_uploads';
}

export const uploadColumns = [
  'id',
  'storage_key',
  'file_name',
  'folder_id',
  'file_id',
  'on_conflict',
  'declared_type',
  'announced_sha256',
  'upload_metadata',
  'size_bytes',
  'received_bytes',
  'status',
  'error',
  'sha256',
  'content_type',
  'scan',
  'result_file_id',
  'writer',
  'writer_process',
  'created_by',
  'actor_type',
  'actor_id',
  'expires_at',
  'created_at',
  'updated_at',
] as const;

export type UploadRow = {
  id: string;
  /** The bytes of its own; null once it has none. */
  storage_key: string | null;
  file_name: string;
  folder_id: string | null;
  file_id: string | null;
  on_conflict: 'rename' | 'version';
  declared_type: string | null;
  announced_sha256: string | null;
  /** As the client sent it, which HEAD gives back. */
  upload_metadata: string | null;
  size_bytes: number;
  received_bytes: number;
  status: UploadStatus;
  error: FailureCode | null;
  /** What all bytes are, once that is known. */
  sha256: string | null;
  content_type: string | null;
  scan: ScanState | null;
  result_file_id: string | null;
  /** The request whose bytes arrive, and the presence of its process; 0 where the store is to be asked. */
  writer: string | null;
  writer_process: number | null;
  created_by: string;
  actor_type: 'user' | 'api_key';
  actor_id: string;
  expires_at: string;
  created_at: string;
  updated_at: string;
};

export function uploadOf(row: UploadRow): CloudUpload {
  return {
    id: row.id,
    object: 'cloud.upload',
    file_name: row.file_name,
    folder_id: row.folder_id,
    file_id: row.file_id,
    size_bytes: row.size_bytes,
    offset: row.received_bytes,
    status: row.status,
    error: row.error,
    expires_at: row.expires_at,
    result_file_id: row.result_file_id,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** How far it has come is told by none of its facts. */
export const uploadFacts = factsOf({
  domain: 'cloud',
  entity_type: 'upload',
  untold: ['offset', 'expires_at'],
});
