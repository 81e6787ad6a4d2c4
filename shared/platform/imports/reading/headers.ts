import { foldCase } from '../../search/normalise.ts';
import type { ImportField } from './field.ts';

/** What forms and spreadsheets put around a name, without a meaning for us. */
const REMARKS = /[([【](必須|必須項目|任意|半角|全角|半角英数|半角英数字|漢字|required|optional)[)\]】]/g;
const BETWEEN = /[\s_\-‐.・:*※()[\]【】/'"]/g;

/** A header as headers are compared: without regard to case, width, spaces, marks and remarks such as （必須）. */
export function foldHeader(header: string): string {
  return foldCase(header).replace(REMARKS, '').replace(BETWEEN, '');
}

/** The field that a header names, by its name, its labels or its aliases. */
export function fieldNamed(header: string, fields: readonly ImportField[]): ImportField | null {
  const folded = foldHeader(header);
  if (folded === '') return null;
  const names = ({ name, label, aliases }: ImportField) => [name, label.ja, label.en, ...aliases];
  return fields.find((field) => names(field).some((name) => foldHeader(name) === folded)) ?? null;
}

/** Numbers, dates and addresses name no column. */
const LIKE_DATA = /^[-+\d.,/:¥￥%\s年月日]+$|@./;

/**
 * Whether the first row names the columns: yes when it holds a name of a field or is used by the mapping, no when it
 * holds what only data holds; else yes, as nearly all files begin with names.
 */
export function hasHeader(
  first: readonly string[],
  fields: readonly ImportField[],
  mapping: Readonly<Record<string, string>> | undefined,
): boolean {
  const cells = first.map((cell) => cell.trim()).filter((cell) => cell !== '');
  if (mapping !== undefined && cells.some((cell) => Object.hasOwn(mapping, cell))) return true;
  if (cells.some((cell) => fieldNamed(cell, fields))) return true;
  const isData = (cell: string) => LIKE_DATA.test(cell) || fields.some((field) => field.recognises?.(cell));
  if (cells.some(isData)) return false;
  return cells.length > 0;
}
