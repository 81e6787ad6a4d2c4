import type { OwnExport } from '../domain.ts';
import { remarkColumns } from '../error-report.ts';
import type { ImportField } from '../reading/field.ts';
import { isExport, type Preview } from '../reading/preview.ts';

/** A column that is mapped to a field; `index` from 0, `name` as errors call the column. */
export type MappedColumn = { index: number; name: string; field: ImportField };

/** A column whose cells are kept by its header. */
export type KeptColumn = { index: number; name: string };

export type Columns = {
  /** How many cells each row must have. */
  count: number;
  mapped: readonly MappedColumn[];
  kept: readonly KeptColumn[];
  /** The names of columns of which nothing is read. */
  ignored: readonly string[];
  /** How many of the last columns are remarks of an earlier report. */
  remarks: number;
};

const LONGEST_NAME = 100;

export type ColumnOptions = { keeps: boolean; normalizes: boolean; exported: OwnExport | undefined };

/**
 * The columns that are read, those that are kept by their header where `keeps` says so, and those of which nothing is
 * read. Columns of an earlier report are none of these: they are the service's own.
 */
export function columnsOf(
  preview: Pick<Preview, 'columns' | 'fields' | 'header' | 'rows'>,
  fields: readonly ImportField[],
  { keeps, normalizes, exported }: ColumnOptions,
): Columns {
  const all = preview.columns.map((name, index) => {
    const field = fields.find((each) => each.name === preview.fields[index]) ?? null;
    return { index, name, field };
  });
  // What was exported comes in as it was.
  const isOwn = exported !== undefined && isExport(preview, exported.prefix);
  const mapped = all.flatMap(({ field, ...column }) =>
    field ? [{ ...column, field: normalizes && !isOwn ? normalizing(field) : field }] : [],
  );
  const remarks = remarkColumns(preview.header, preview.rows);
  const others = all.slice(0, all.length - remarks).filter(({ field }) => field === null);
  const own = keeps && isOwn ? exported.columns : [];
  const isKept = ({ name }: { name: string }) => keeps && !own.includes(name);
  const kept = others
    .filter(isKept)
    .map(({ index, name }) => ({ index, name: ownName(name).slice(0, LONGEST_NAME).toWellFormed() }));
  const ignored = others.filter((column) => !isKept(column)).map(({ name }) => name.toWellFormed());
  return { count: all.length, mapped, kept, ignored, remarks };
}

/** The field with cells as `normalize` reads them. */
function normalizing(field: ImportField): ImportField {
  const { normalize, parse } = field;
  return normalize ? { ...field, parse: (cell) => parse(normalize(cell)) } : field;
}

/** An export writes an attribute that is called like a field behind the name of its kind. */
function ownName(header: string): string {
  return /^attributes\.(.+)$/s.exec(header)?.[1] ?? header;
}
