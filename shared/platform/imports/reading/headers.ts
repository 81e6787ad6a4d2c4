import { foldCase } from '../../search/normalise.ts';
import type { ImportField } from './field.ts';

/** What forms and spreadsheets put around a name, without a meaning for us. */
const REMARKS = /[([【](必須|必須項目|任意|半角|全角|半角英数|半角英数字|漢字|required|optional)[)\]】]/g;
const BETWEEN = /[\s_\-‐.・:*※()[\]【】/'"]/g;

/** A header as headers are compared: without regard to case, width, spaces, marks and remarks such as （必須）. */
export function foldHeader(header: string): string {
  return foldCase(header).replace(REMARKS, '').replace(BETWEEN, '');
}

/** The field that a header names, by its name, its labels or its aliases, whatever the cells hold. */
export function fieldNamed(header: string, fields: readonly ImportField[]): ImportField | null {
  return fieldsNamed(header, fields).find(({ is_sure }) => is_sure)?.field ?? null;
}

/** A field that a header may mean; of several columns that mean it, the one of the lowest rank does. */
export type Named = { field: ImportField; rank: number; is_sure: boolean };

/** Ranks of a field's name and of its two labels. */
const OWN_NAMES = 3;

/**
 * The fields that a header may mean: those that are called so themselves, those that ask their cells, and those that other
 * programs call so. So a field of an organization's own, by its label, comes before a word of others.
 */
export function fieldsNamed(header: string, fields: readonly ImportField[]): Named[] {
  const folded = foldHeader(header);
  if (folded === '') return [];
  const perhaps: Named[] = [];
  const surely: Named[] = [];
  for (const field of fields) {
    const { sure, maybe } = foldedNames(field);
    const rank = sure.indexOf(folded);
    if (rank >= 0) surely.push({ field, rank, is_sure: true });
    else if (maybe.includes(folded)) perhaps.push({ field, rank: sure.length, is_sure: false });
  }
  const own = surely.filter(({ rank }) => rank < OWN_NAMES);
  return [...own, ...perhaps, ...surely.filter(({ rank }) => rank >= OWN_NAMES)];
}

/** Whether a field is called so itself, by its name or a label. */
export function isOwnName(header: string, fields: readonly ImportField[]): boolean {
  return fieldsNamed(header, fields).some(({ rank, is_sure }) => is_sure && rank < OWN_NAMES);
}

type FoldedNames = { sure: readonly string[]; maybe: readonly string[] };

/** To fold all names of all fields for each header would take longer than all else that is done with the header. */
const known = new WeakMap<ImportField, FoldedNames>();

function foldedNames(field: ImportField): FoldedNames {
  const { name, label, aliases, maybe } = field;
  const names = known.get(field) ?? {
    sure: [name, label.ja, label.en, ...aliases].map(foldHeader),
    maybe: (maybe?.aliases ?? []).map(foldHeader),
  };
  known.set(field, names);
  return names;
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
  if (cells.some((cell) => fieldsNamed(cell, fields).length > 0)) return true;
  const isData = (cell: string) => LIKE_DATA.test(cell) || fields.some((field) => field.recognises?.(cell));
  if (cells.some(isData)) return false;
  return cells.length > 0;
}
