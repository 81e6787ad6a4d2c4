import type { ListQuery } from '../../db/list.ts';
import type { Language } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { DomainName, Scope } from '../../kernel/scope.ts';
import type { Window } from '../../kernel/window.ts';
import type { CellKind } from './csv.ts';

export type ExportColumn = {
  /** What a request names it by. */
  name: string;
  /** The first line of the file: the field's name in the API, so that the import maps it by itself. */
  header: string;
  /** The header in Japanese where the exporter's `japanese` has none: that of a key. */
  japanese?: string;
  kind: CellKind;
  /** What a file in Japanese says in place of the API's words, where the exporter's `words` say nothing of it. */
  words?: Readonly<Record<string, string>>;
  /** SQL over the row of the list's table; `?` stands for one of `values`. */
  sql: string;
  values?: readonly string[];
};

/** Columns that follow from what an organization keeps: one for each key, named `<name>.<key>`. */
export type KeyedColumns = {
  name: string;
  all(reader: Reader): Promise<ExportColumn[]>;
  /** What tells the column of a key, or null where there can be none. */
  byKey(reader: Reader): Promise<(key: string) => ExportColumn | null>;
};

/** Columns with the lines above them, the first of which is the header. */
export type MadeColumns = {
  columns: readonly ExportColumn[];
  headers: readonly (readonly string[])[];
};

/** A list that can be written to a file: the small value beside it that says how. */
export type Exporter = {
  /** `<domain>.<resource>`, the same as in the ID of the list's endpoint. */
  name: DomainName;
  scope: Scope;
  /** What the file is called, without date. */
  title: string;
  columns: readonly ExportColumn[];
  /** The headers in Japanese, by the names of the columns. */
  japanese: Readonly<Record<string, string>>;
  /** What a file in Japanese says in place of the API's words, by the names of the columns. */
  words?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  keyed?: KeyedColumns;
  /** For a list whose columns follow from what it is asked for: they are made when the file is written. */
  made?(reader: Reader, filters: Record<string, unknown>): Promise<MadeColumns>;
  /** Whether who asks sees other rows than others: then it is written with their rights, and for them. */
  is_personal?: boolean;
  /**
   * The member of its filters that names the record whose rows it writes; the result of its job tells it too. When rows of the
   * record go for good, `outdateExports` takes away these files alone.
   */
  record?: string;
  /** The rows that the filters leave: the list's own query. */
  list(reader: Reader, filters: Record<string, unknown>, window: Window): ListQuery | Promise<ListQuery>;
};

/** A column that is one of the table's own, or what `sql` makes of them. */
export function column(table: string, name: string, kind: CellKind, sql?: string): ExportColumn {
  return { name, header: name, kind, sql: sql ?? `"${table}"."${name}"` };
}

/** The columns as a file in a language has them. */
export function columnsIn(
  language: Language,
  { words = {} }: Pick<Exporter, 'words'>,
  columns: readonly ExportColumn[],
): ExportColumn[] {
  return columns.map((one) => {
    const own = words[one.name] ?? one.words;
    if (language === 'en' || own === undefined) return one;
    const said = `SELECT (${one.sql})::text AS word`;
    const known = `'${JSON.stringify(own).replaceAll("'", "''")}'::jsonb`;
    return { ...one, sql: `(SELECT coalesce(${known} ->> word, word) FROM (${said}) AS said)` };
  });
}

/**
 * SQL for names in one cell, `;` between them. One that holds a `;` itself has a `\` before it, as the import reads
 * it; `from` says where the names come from, in which order, and is the part of the query behind FROM.
 */
export function joined(name: string, order: string, from: string): string {
  const escaped = `regexp_replace(${name}, '([;；\\\\])', '\\\\\\1', 'g')`;
  return `(SELECT string_agg(${escaped}, ';' ORDER BY ${order}) FROM ${from})`;
}

/** A key as a header: by itself, or behind the name of its kind where a field of the list is called the same. */
export function headerOf(kind: string, key: string, columns: readonly ExportColumn[]): string {
  return columns.some(({ header }) => header === key) ? `${kind}.${key}` : key;
}
