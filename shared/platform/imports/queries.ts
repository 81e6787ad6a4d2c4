import { z } from 'zod';
import { isFiltered, pageOf } from '../../db/list.ts';
import { TenantModel } from '../../db/model.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { id as idOf } from '../../kernel/schema.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { cellErrorText, type ErrorLanguage } from './cell-errors.ts';
import type { ImportDomain } from './domain.ts';
import { ImportModel, type ImportRecord, type ImportStatus, importColumns } from './record.ts';

type Kinds = readonly Pick<ImportDomain, 'kind' | 'prefix'>[];

/** A window of the imports of these kinds. */
export function importPage(
  reader: Reader,
  kinds: Kinds,
  filters: { status?: ImportStatus; kind?: string },
  window: Window,
): Promise<Page<ImportRecord>> {
  const asked = kinds.map(({ kind }) => kind).filter((kind) => !filters.kind || kind === filters.kind);
  const query = ImportModel.table(reader).whereIn('kind', asked);
  if (filters.status) query.where('status', filters.status);
  return pageOf<ImportRecord>(reader, {
    query,
    window,
    table: 'imports',
    columns: importColumns,
    prefix: kinds[0]!.prefix,
    is_filtered: isFiltered(filters),
  });
}

/** An import of one of these kinds. Errors: `not_found`. */
export async function importById(reader: Reader, kinds: Kinds, id: string): Promise<ImportRecord> {
  const [row] = (await ImportModel.table(reader)
    .where({ id })
    .whereIn(
      'kind',
      kinds.map(({ kind }) => kind),
    )
    .select(importColumns)) as ImportRecord[];
  if (!row) throw notFound();
  return row;
}

/** One error of a refused row, as the API shows it. */
export const ImportError = z
  .strictObject({
    id: idOf('ierr'),
    object: z.literal('import.error'),
    row: z.int().describe('As a spreadsheet numbers it: the header is 1.'),
    code: z.string().meta({ examples: ['invalid_email'] }),
    column: z
      .string()
      .nullable()
      .describe('By its header, or its number from 1.')
      .meta({ examples: ['メールアドレス'] }),
    message: z
      .string()
      .describe('For people.')
      .meta({ examples: ['This is not an e-mail address'] }),
    cells: z
      .array(z.string())
      .describe('As they stand in the file; long ones are cut.')
      .meta({ examples: [['hanako.example.co.jp', '山田 花子']] }),
  })
  .meta({ id: 'ImportError' });

export type ImportError = z.output<typeof ImportError>;

/** A fault as it is kept; without Japanese in imports of before, and where its code says all. */
export type KeptError = Omit<ImportError, 'object'> & { message_ja: string | null };

/** What a fault says in a language. */
export function messageOf({ code, message, message_ja }: KeptError, language: ErrorLanguage): string {
  return language === 'en' ? message : (message_ja ?? cellErrorText(code, language) ?? message);
}

class ImportErrorModel extends TenantModel {
  static override tableName = 'import_errors';
}

/** A window of the faults of an import, in the order of the file unless asked otherwise. */
export async function importErrorPage(
  reader: Reader,
  import_id: string,
  window: Window,
  language: ErrorLanguage = 'en',
): Promise<Page<ImportError>> {
  const sort = window.sort.length > 0 ? window.sort : [{ field: 'created_at', direction: 'asc' as const }];
  const page = await pageOf<KeptError>(reader, {
    query: ImportErrorModel.table(reader).where({ import_id }),
    window: { ...window, sort },
    table: 'import_errors',
    columns: ['id', 'row', 'code', 'column', 'message', 'message_ja', 'cells'],
    prefix: 'ierr',
    sorts: { created_at: 'id', updated_at: 'id' },
  });
  const rows = page.rows.map(({ message_ja: _, ...row }, index): ImportError => {
    return { ...row, message: messageOf(page.rows[index]!, language), object: 'import.error' };
  });
  return { ...page, rows };
}
