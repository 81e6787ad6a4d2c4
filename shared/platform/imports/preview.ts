import type { Reader } from '../../kernel/reader.ts';
import type { UploadedFile } from '../storage/stored-file.ts';
import type { ImportDomain, RowRemark, UnitRow } from './domain.ts';
import type { CommonOptions } from './options.ts';
import { type ImportField, type Normalized, normalizedCell } from './reading/field.ts';
import { isExport, type Preview, previewOf } from './reading/preview.ts';
import { type Columns, columnsOf } from './run/columns.ts';
import { placesOf, unitRow } from './run/units.ts';
import { fileWarnings, importsOfFile } from './same-file.ts';

/** What a file would be read like, with the columns and cells that would be read otherwise than they stand there. */
type ReadFile = Preview & {
  ignored_columns: readonly string[];
  normalized: readonly Normalized[];
  /** What the domain has to say of the shown rows. */
  remarks: readonly (RowRemark & { row: number })[];
  /** Those rows as records are told apart by them. */
  first_rows: readonly UnitRow[];
};

/** The same with what is known of the file besides. */
export type ImportPreview = ReadFile & {
  /** The imports that took the same file before, newest first. */
  same_file_as: readonly string[];
  /** What is odd about the shown rows, or about the file where no row is named. */
  warnings: readonly (RowRemark & { row: number | null })[];
};

/** What a file with these options would be read like, and which imports took it before. Errors: those of `previewOf`. */
export async function previewImport<Options extends CommonOptions>(
  reader: Reader,
  domain: ImportDomain<Options>,
  { file, options }: { file: Pick<UploadedFile, 'head' | 'sha256'>; options: Options },
): Promise<ImportPreview> {
  const read = await previewWith(domain, await domain.fields(reader), file.head, options);
  const same_file_as = await importsOfFile(reader, domain.kind, file.sha256);
  const said = fileWarnings(domain, same_file_as, read.first_rows, options, { writes: false });
  return {
    ...read,
    same_file_as,
    warnings: [...said.map((one) => ({ row: null, ...one })), ...read.remarks],
  };
}

/** The same, by the beginning of the file alone. */
export async function previewWith(
  { exported, has_preamble, remarkOn }: Pick<ImportDomain, 'exported' | 'has_preamble' | 'remarkOn'>,
  fields: readonly ImportField[],
  head: Buffer,
  { encoding, delimiter, has_header, mapping, keep_unmapped: keeps = false, normalize }: CommonOptions,
): Promise<ReadFile> {
  const reading = {
    encoding,
    delimiter,
    has_header,
    mapping,
    fields,
    exported: exported?.prefix,
    has_preamble,
  };
  const preview = await previewOf(head, reading);
  const isOwn = isExport(preview, exported?.prefix);
  const { ignored, mapped } = columnsOf(preview, fields, { keeps, normalizes: false, exported });
  const remarks = remarkOn ? remarksOn(preview, mapped, remarkOn) : [];
  return {
    ...preview,
    ignored_columns: ignored,
    normalized: normalize && !isOwn ? normalizedIn(preview, mapped) : [],
    remarks,
    first_rows: firstRows(preview, mapped),
  };
}

function firstRows({ rows, columns }: Preview, mapped: Columns['mapped']): UnitRow[] {
  const places = placesOf(mapped);
  return rows.map((cells) => unitRow(cells, cells.length === columns.length, places));
}

/** The cells of the shown rows that `normalize` reads otherwise than they are written. */
function normalizedIn({ rows, row_numbers }: Preview, mapped: Columns['mapped']): Normalized[] {
  return rows.flatMap((cells, index) =>
    mapped.flatMap(({ index: place, name: column, field }) => {
      const before = cells[place] ?? '';
      const after = normalizedCell(field, before);
      return after === before.trim() ? [] : [{ row: row_numbers[index]!, column, before, after }];
    }),
  );
}

function remarksOn(
  { rows, row_numbers }: Preview,
  mapped: Columns['mapped'],
  remarkOn: NonNullable<ImportDomain['remarkOn']>,
): ReadFile['remarks'] {
  const names = mapped.map(({ field }) => field.name);
  return rows.flatMap((cells, index) => {
    const values: Record<string, unknown> = {};
    const faulty_fields: string[] = [];
    for (const { index: place, field } of mapped) {
      const cell = cells[place]?.trim() ?? '';
      const parsed = cell === '' ? null : field.parse(cell);
      if (parsed && 'value' in parsed) values[field.name] = parsed.value;
      else if (parsed || field.required === true) faulty_fields.push(field.name);
    }
    const remark = remarkOn({ values, faulty_fields }, names);
    return remark ? [{ row: row_numbers[index]!, ...remark }] : [];
  });
}
