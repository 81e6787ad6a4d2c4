import { Failure } from '../../../kernel/failure.ts';
import type { Storage } from '../../storage/storage.ts';
import type { OwnExport } from '../domain.ts';
import { remarkColumns } from '../error-report.ts';
import { ImportFailure } from '../import-failure.ts';
import { detectEncoding } from '../reading/encoding.ts';
import type { ImportField } from '../reading/field.ts';
import { refuseMissingFields } from '../reading/mapping.ts';
import { isExport, type Preview, previewOf } from '../reading/preview.ts';
import { LIMITS } from '../reading/row.ts';
import type { ImportRecord } from '../record.ts';
import type { Columns } from './columns.ts';
import type { Seen } from './reading-progress.ts';

const LONGEST_NAME = 100;

export type Opened = { preview: Preview; columns: Columns };

export type Opening = {
  fields: readonly ImportField[];
  exported: OwnExport | undefined;
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
  { fields, exported, seen = () => undefined }: Opening,
): Promise<Opened> {
  const key = row.storage_key;
  if (key === null) throw new ImportFailure('file_missing', 'The file of the import is gone');
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
    });
    refuseMissingFields(preview, fields);
    return { preview, columns: columnsOf(preview, fields, row.options.keep_unmapped === true, exported) };
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

/** The columns that are read, and those that are kept by their header. */
function columnsOf(
  preview: Preview,
  fields: readonly ImportField[],
  keeps: boolean,
  exported: OwnExport | undefined,
): Columns {
  const all = preview.columns.map((name, index) => {
    const field = fields.find((each) => each.name === preview.fields[index]) ?? null;
    return { index, name, field };
  });
  const mapped = all.flatMap(({ field, ...column }) => (field ? [{ ...column, field }] : []));
  const count = all.length;
  if (!keeps) return { count, mapped, kept: [] };
  const own = exported && isExport(preview, exported.prefix) ? exported.columns : [];
  const remarks = remarkColumns(preview.header, preview.rows);
  const kept = all
    .slice(0, all.length - remarks)
    .filter(({ field, name }) => field === null && !own.includes(name))
    .map(({ index, name }) => ({ index, name: ownName(name).slice(0, LONGEST_NAME).toWellFormed() }));
  return { count, mapped, kept };
}

/** An export writes an attribute that is called like a field behind the name of its kind. */
function ownName(header: string): string {
  return /^attributes\.(.+)$/s.exec(header)?.[1] ?? header;
}
