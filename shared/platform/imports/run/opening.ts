import { Failure } from '../../../kernel/failure.ts';
import { reasons } from '../../operators/reasons.ts';
import type { Storage } from '../../storage/storage.ts';
import type { OwnExport } from '../domain.ts';
import { ImportFailure } from '../import-failure.ts';
import { detectEncoding } from '../reading/encoding.ts';
import type { ImportField } from '../reading/field.ts';
import { refuseMissingFields, refuseUnknownColumns } from '../reading/mapping.ts';
import { type Preview, previewOf } from '../reading/preview.ts';
import { LIMITS } from '../reading/row.ts';
import type { ImportRecord } from '../record.ts';
import { type Columns, columnsOf } from './columns.ts';
import type { Seen } from './reading-progress.ts';

export type Opened = { preview: Preview; columns: Columns };

export type Opening = {
  fields: readonly ImportField[];
  exported: OwnExport | undefined;
  has_preamble: boolean | undefined;
  /** Hears how far the file is read, where all of it has to be. */
  seen?: Seen;
};

/**
 * Finds out how the file of an import is to be read: what an earlier run found stands, so that all runs read alike.
 * Throws ImportFailure, what `seen` throws.
 */
export async function openFile(
  storage: Storage,
  row: ImportRecord,
  { fields, exported, has_preamble, seen = () => undefined }: Opening,
): Promise<Opened> {
  const key = row.storage_key;
  if (key === null) throw new ImportFailure('file_missing', reasons.file_missing().en);
  const encoding = row.encoding ?? (await encodingOf(storage, key, row, seen));
  const head = await bytesOf(await storage.read(key, { start: 0, end: LIMITS.head_bytes - 1 }));
  try {
    const preview = await previewOf(head, {
      encoding,
      delimiter: row.delimiter ?? row.options.delimiter,
      has_header: row.has_header ?? row.options.has_header,
      mapping: row.mapping ?? row.options.mapping,
      fields,
      exported: exported?.prefix,
      has_preamble,
    });
    refuseUnknownColumns(preview);
    refuseMissingFields(preview, fields);
    const keeps = row.options.keep_unmapped === true;
    // Absent in imports that began under the release before.
    const normalizes = row.options.normalize === true;
    return { preview, columns: columnsOf(preview, fields, { keeps, normalizes, exported }) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new ImportFailure(error.details.errors?.[0]?.code ?? error.code, error.message);
  }
}

async function encodingOf(storage: Storage, key: string, row: ImportRecord, seen: Seen) {
  async function* bytes() {
    let size = 0;
    for await (const chunk of (await storage.read(key)) as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      seen(size);
      yield chunk;
    }
  }
  const detected = await detectEncoding(bytes, row.options.encoding);
  if ('fault' in detected) throw new ImportFailure(detected.fault.code, detected.fault.message);
  return detected.encoding;
}

async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of source) parts.push(part);
  return Buffer.concat(parts);
}
