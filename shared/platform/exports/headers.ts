import type { Language } from '../../kernel/language.ts';
import type { ExportColumn, Exporter } from './exporter.ts';

/** The Japanese headers of columns that records of any kind have, by the columns' names. */
export const commonHeaders = {
  id: 'レコードID',
  external_id: '外部ID',
  metadata: 'メタデータ',
  created_by: '作成者ID',
  created_at: '作成日時',
  updated_at: '更新日時',
};

/**
 * The first line of the file. In English the headers are the fields' names in the API, in Japanese what the import of the
 * same records calls them; both come back by themselves.
 */
export function headersIn(
  language: Language,
  { japanese }: Pick<Exporter, 'japanese'>,
  columns: readonly ExportColumn[],
): string[] {
  return columns.map((column) =>
    language === 'en' ? column.header : (column.japanese ?? japanese[column.name] ?? column.header),
  );
}
