import { invalid } from '../../../kernel/failure.ts';
import { isId, type Prefix } from '../../../kernel/id.ts';
import { commonHeaders } from '../../exports/headers.ts';
import { remarkColumns } from '../error-report.ts';
import { delimiterOf, sampleOf } from './delimiter.ts';
import { type AskedEncoding, detectEncoding, markedEncoding } from './encoding.ts';
import type { ImportField } from './field.ts';
import { fieldsNamed, hasHeader } from './headers.ts';
import { type ColumnFields, columnNames, mappedFields, proposedFields } from './mapping.ts';
import { type Delimiter, type Encoding, LIMITS, type Position, type Row } from './row.ts';
import { separatorLine } from './separator-line.ts';
import { refuseOtherFiles } from './signature.ts';

export type PreviewOptions = {
  /** What was asked for, or what `detectEncoding` found. */
  encoding: AskedEncoding | Encoding;
  delimiter: 'auto' | Delimiter;
  has_header: 'auto' | boolean;
  mapping?: Readonly<Record<string, string>> | undefined;
  fields: readonly ImportField[];
  /** The prefix of the IDs in the column `id` of an export of the same records: such a file may have more columns. */
  exported?: Prefix | undefined;
  /** Whether lines of other shapes may stand above the header. */
  has_preamble?: boolean | undefined;
};

/** How a file would be read, and its first rows. */
export type Preview = {
  encoding: Encoding;
  delimiter: Delimiter;
  has_header: boolean;
  /** The cells of the header, null without one. */
  header: string[] | null;
  /** What a mapping calls the columns: by their headers, or by numbers from 1. As many as each row must have cells. */
  columns: string[];
  /** The given or the proposed fields, by `columns`. */
  mapping: Record<string, string>;
  /** The same by the place of the column. */
  fields: ColumnFields;
  rows: string[][];
  /** The numbers of those rows, as a spreadsheet shows them. */
  row_numbers: number[];
  /** Where the first row behind the header begins. */
  start: Position;
};

const SHOWN_ROWS = 20;

/** Lines above a header at the most: banks write a dozen about the account. */
const MOST_ABOVE = 20;

/**
 * What the beginning of a file (`LIMITS.head_bytes` of it, or all) says about it. The encoding is a guess where it was
 * not named and there is more of the file. Errors: `unsupported_media_type` for a file that is not text; `validation_failed`
 * at `/file` when it is empty or its header cannot be read, at `/mapping/COLUMN` when the mapping does not fit.
 */
export async function previewOf(head: Uint8Array, options: PreviewOptions): Promise<Preview> {
  const final = head.length < LIMITS.head_bytes;
  const { fields } = options;
  refuseOtherFiles(head, options.encoding.startsWith('utf-16') || isMarkedWide(head));
  const encoding = await encodingOf(head, options.encoding, final);
  const line = separatorLine(head, encoding);
  const sample = { head, encoding, start: line.start, final };
  const delimiter =
    options.delimiter === 'auto' ? (line.delimiter ?? delimiterOf(sample)) : options.delimiter;
  const all = sampleOf({ ...sample, delimiter });
  const at = options.has_preamble && options.has_header !== false ? headerAt(all, fields) : 0;
  const first = all[at];
  if (first === undefined) throw final ? empty() : unreadable(null);
  const has_header =
    options.has_header === 'auto' ? hasHeader(first.cells, fields, options.mapping) : options.has_header;
  if (has_header && isBroken(first)) throw unreadable(first);
  const header = has_header ? first.cells : null;
  const count = (header ?? (all.find((row) => !isBroken(row)) ?? first).cells).length;
  const from = at + (has_header ? 1 : 0);
  const shown = all.slice(from, from + SHOWN_ROWS);
  const rows = shown.map(({ cells }) => cells);
  const row_numbers = shown.map(({ row }) => row);
  const columns = columnNames(header, count);
  if (count > LIMITS.columns && !isExport({ columns, rows }, options.exported)) throw tooWide();
  const columnFields =
    options.mapping === undefined
      ? proposedOf(header, rows, fields, count)
      : mappedFields(options.mapping, header, fields, count);
  const mapping = Object.fromEntries(
    columnFields.flatMap((field, index) => (field === null ? [] : [[columns[index]!, field]])),
  );
  const start = has_header ? { byte: first.end, row: first.row + 1 } : line.start;
  const found = { encoding, delimiter, has_header, header, columns, mapping, fields: columnFields };
  return { ...found, rows, row_numbers, start };
}

/** The proposal for all columns but the remarks of an earlier report, which whoever mended the file has sent along. */
function proposedOf(
  header: readonly string[] | null,
  rows: readonly (readonly string[])[],
  fields: readonly ImportField[],
  count: number,
): ColumnFields {
  const remarks = remarkColumns(header, rows);
  const own = count - remarks;
  return [
    ...proposedFields(header?.slice(0, own) ?? null, rows, fields, own),
    ...new Array<null>(remarks).fill(null),
  ];
}

/** The place of the first line that names two fields or more; 0 where none of the first lines does. */
function headerAt(rows: readonly Row[], fields: readonly ImportField[]): number {
  const isHeader = ({ cells }: Row) =>
    cells.filter((cell) => fieldsNamed(cell, fields).length > 0).length >= 2;
  return Math.max(0, rows.slice(0, MOST_ABOVE + 1).findIndex(isHeader));
}

/** Whether each of the rows has an ID with this prefix in the column `id`. */
export function isExport(
  { columns, rows }: Pick<Preview, 'columns' | 'rows'>,
  prefix: Prefix | undefined,
): boolean {
  const index = columns.findIndex((name) => name === 'id' || name === commonHeaders.id);
  return (
    prefix !== undefined &&
    index >= 0 &&
    rows.length > 0 &&
    rows.every((cells) => isId(cells[index] ?? '', prefix))
  );
}

function isMarkedWide(head: Uint8Array): boolean {
  return markedEncoding(head)?.encoding.startsWith('utf-16') ?? false;
}

async function encodingOf(
  head: Uint8Array,
  asked: PreviewOptions['encoding'],
  final: boolean,
): Promise<Encoding> {
  if (asked === 'utf-16le' || asked === 'utf-16be') return asked;
  const known = final ? head : head.subarray(0, head.lastIndexOf(0x0a) + 1 || head.length);
  const detected = await detectEncoding(async function* () {
    yield known;
  }, asked);
  // The whole file may yet be readable: that is for the import to say.
  return 'fault' in detected ? 'utf-8' : detected.encoding;
}

/** Whether the row tells nothing about how many columns there are. */
function isBroken({ fault }: Row): boolean {
  return fault !== null && fault.column === null;
}

function tooWide() {
  const message = {
    en: `The file has more than ${LIMITS.columns} columns: remove those that are not needed`,
    ja: `ファイルの列が${LIMITS.columns}列を超えています。不要な列を削除してください`,
  };
  return invalid('/file', 'column_count', message);
}

function empty() {
  return invalid('/file', 'empty', { en: 'The file has no rows', ja: 'ファイルに行がありません' });
}

function unreadable(header: Row | null) {
  if (header?.fault?.code === 'unclosed_quote')
    return invalid('/file', 'unclosed_quote', {
      en: 'The header has a quote that nothing closes',
      ja: '見出しの引用符が閉じられていません',
    });
  if (header?.fault?.code === 'column_count') return tooWide();
  return invalid('/file', 'too_long', {
    en: 'The first line of the file does not end',
    ja: 'ファイルの1行目が長すぎます',
  });
}
