import { type FieldError, invalid, invalidAll } from '../../../kernel/failure.ts';
import type { Text } from '../../../kernel/language.ts';
import type { ImportField } from './field.ts';
import { fieldsNamed, foldHeader, type Named } from './headers.ts';
import { refusalsOfFile } from './refusals.ts';

/** The field of each column, by its place; null for a column that is not read. */
export type ColumnFields = (string | null)[];

/** The share of sampled cells that must match a field before a column is mapped to it. */
const RECOGNISED_SHARE = 0.8;

/** The share of sampled cells by which a header of several meanings means a field. */
const MEANT_SHARE = 0.5;

/**
 * The names by which a mapping calls the columns: the header, or the number from 1 where there is none or where a
 * column before has the same.
 */
export function columnNames(header: readonly string[] | null, count: number): string[] {
  const names: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const name = header?.[index]?.trim() ?? '';
    names.push(name === '' || names.includes(name) ? String(index + 1) : name);
  }
  return names;
}

/** The fields that columns most likely mean: by their headers, then by what they hold. A field is proposed once. */
export function proposedFields(
  header: readonly string[] | null,
  rows: readonly (readonly string[])[],
  fields: readonly ImportField[],
  count: number,
): ColumnFields {
  const left = new Set(fields);
  const proposed: ColumnFields = new Array<string | null>(count).fill(null);
  const propose = (index: number, field: ImportField | null | undefined) => {
    if (proposed[index] !== null || !field || !left.delete(field)) return;
    proposed[index] = field.name;
  };
  const sampled = (index: number) =>
    rows.map((row) => row[index]?.trim() ?? '').filter((cell) => cell !== '');
  const named = (header ?? []).flatMap((name, index) =>
    fieldsNamed(name, fields)
      .filter((one) => isMeant(one, () => sampled(index)))
      .map(({ field, rank }, turn) => ({ index, field, rank, turn })),
  );
  // A column whose first meaning another one has takes its next.
  named.sort((left, right) => left.turn - right.turn || left.rank - right.rank);
  for (const { index, field } of named) propose(index, field);
  for (let index = 0; index < count; index += 1) {
    const cells = sampled(index);
    const isMostly = ({ recognises }: ImportField) =>
      recognises !== undefined && cells.filter(recognises).length >= cells.length * RECOGNISED_SHARE;
    if (cells.length > 0) propose(index, [...left].find(isMostly));
  }
  return proposed;
}

/** Whether a header means the field, by the cells below it where the field asks for them. */
function isMeant({ field: { fits, maybe }, is_sure }: Named, sampled: () => string[]): boolean {
  if (!is_sure) {
    const cells = sampled();
    return cells.length > 0 && cells.filter(maybe!.is).length >= cells.length * MEANT_SHARE;
  }
  if (fits === undefined) return true;
  const cells = sampled();
  return cells.length > 0 && fits(cells);
}

/**
 * The fields that a mapping gives to columns. Errors: `validation_failed` with every fault at its place, for example
 * `/mapping/Email`: a column that the file does not have, a field that does not exist, either of them twice.
 */
export function mappedFields(
  mapping: Readonly<Record<string, string>>,
  header: readonly string[] | null,
  fields: readonly ImportField[],
  count: number,
): ColumnFields {
  const mapped: ColumnFields = new Array<string | null>(count).fill(null);
  const faults: FieldError[] = [];
  for (const [column, name] of Object.entries(mapping)) {
    const refuse = (code: string, message: Text) =>
      faults.push({ in: 'body', path: `/mapping/${pointerPart(column)}`, code, message });
    const index = columnIndex(column, header, count);
    if (index < 0)
      refuse('unknown_column', {
        en: `The file has no column ${column}`,
        ja: `ファイルに列 ${column} がありません`,
      });
    if (!fields.some((field) => field.name === name))
      refuse('unknown_field', {
        en: `There is no field ${name}; there are: ${fields.map((field) => field.name).join(', ')}`,
        ja: `項目 ${name} はありません。指定できる項目：${fields.map((field) => field.name).join('、')}`,
      });
    if (mapped.includes(name))
      refuse('duplicate', {
        en: `Another column is mapped to ${name}`,
        ja: `ほかの列がすでに ${name} に対応付けられています`,
      });
    if (index < 0) continue;
    if (mapped[index] !== null)
      refuse('duplicate', {
        en: `Column ${column} is mapped twice`,
        ja: `列 ${column} が重複して対応付けられています`,
      });
    mapped[index] = name;
  }
  if (faults.length > 0) throw invalidAll(faults);
  return mapped;
}

/** Columns that a refusal names: enough to find the right one. */
const MOST_NAMED = 10;

/**
 * Errors: `validation_failed` at `/file` when no column is read: each row would be a fault of its own. `columns` are those
 * that it names.
 */
export function refuseUnknownColumns({
  fields: mapped,
  columns,
}: {
  fields: ColumnFields;
  columns: readonly string[];
}): void {
  if (mapped.some((field) => field !== null)) return;
  const list = listed(columns);
  throw invalid('/file', 'no_known_columns', refusalsOfFile.no_known_columns(list));
}

/** Errors: `validation_failed` at `/mapping` when a required field has no column; `columns` are those that it names. */
export function refuseMissingFields(
  { fields: mapped, columns }: { fields: ColumnFields; columns: readonly string[] },
  fields: readonly ImportField[],
): void {
  const missing = fields.filter(
    ({ name, required, instead, or = [] }) =>
      required &&
      ![name, ...or].some((each) => mapped.includes(each)) &&
      !instead?.every((other) => mapped.includes(other)),
  );
  if (missing.length === 0) return;
  const left = columns.filter((_, index) => !mapped[index]);
  const example = left[0]?.slice(0, 100) ?? '1';
  const list = listed(columns);
  throw invalidAll(
    missing.map(({ name, instead, or }) => {
      const shown = JSON.stringify({ [example]: name });
      const en = `${name}${instead ? `, or to ${instead.join(' and ')}` : ''}${or ? `, or to ${or.join(' or ')}` : ''}`;
      const ja = `${name}${instead ? `（または ${instead.join(' と ')}）` : ''}${or ? `（または ${or.join('、')}）` : ''}`;
      const message = {
        en: refusalsOfFile.no_column_for(en, shown, list).en,
        ja: refusalsOfFile.no_column_for(ja, shown, list).ja,
      };
      return { in: 'body', path: '/mapping', code: 'required', message };
    }),
  );
}

function listed(columns: readonly string[]): string {
  const named = columns.slice(0, MOST_NAMED).map((column) => column.slice(0, 100));
  return `${named.join(', ')}${columns.length > MOST_NAMED ? ', ...' : ''}`;
}

function columnIndex(column: string, header: readonly string[] | null, count: number): number {
  const exact = header?.findIndex((name) => name.trim() === column.trim()) ?? -1;
  if (exact >= 0) return exact;
  const folded = foldHeader(column);
  const alike = folded === '' ? -1 : (header?.findIndex((name) => foldHeader(name) === folded) ?? -1);
  if (alike >= 0) return alike;
  const number = /^[1-9]\d{0,2}$/.test(column) ? Number(column) : 0;
  return number <= count ? number - 1 : -1;
}

function pointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
