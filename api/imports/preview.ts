import { z } from 'zod';
import { previewImport } from '../../shared/platform/imports/preview.ts';
import { LIMITS } from '../../shared/platform/imports/reading/row.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { upload } from '../http/files/declarations.ts';
import { type ImportedKind, uploadPathOf } from './imported-kind.ts';

const ImportPreview = z
  .strictObject({
    encoding: z.enum(['utf-8', 'utf-16le', 'utf-16be', 'shift_jis']),
    delimiter: z.enum(['comma', 'tab', 'semicolon']),
    has_header: z.boolean(),
    columns: z
      .array(z.string())
      .describe('By their headers, or by numbers from 1.')
      .meta({ examples: [['メールアドレス', '氏名', '会社名']] }),
    ignored_columns: z
      .array(z.string())
      .describe('Columns of which nothing would be read, as `columns` calls them: map those that matter.')
      .meta({ examples: [['会社名']] }),
    mapping: z
      .record(z.string(), z.string())
      .describe('Field by column, as proposed or as sent.')
      .meta({ examples: [{ メールアドレス: 'email', 氏名: 'full_name' }] }),
    rows: z
      .array(z.array(z.string()))
      .describe('The first rows behind the header, at most 20.')
      .meta({ examples: [[['hanako@example.co.jp', '山田 花子', '山田商店']]] }),
    normalized: z
      .array(z.strictObject({ row: z.int(), column: z.string(), before: z.string(), after: z.string() }))
      .describe('Cells of those rows that `normalize` reads otherwise than they are written.')
      .meta({
        examples: [
          [{ row: 2, column: '電話番号', before: '０３－１２３４－５６７８', after: '03-1234-5678' }],
        ],
      }),
    same_file_as: z
      .array(z.string())
      .describe(
        'Imports of this kind that took rows of the same file (byte for byte, so all of it has to be sent) before, newest first, at most 5. Dry runs do not count, nor what was undone with nothing left behind.',
      )
      .meta({ examples: [['iimp_01jqd4z8k6v7m2x9w3t5r0b1ca']] }),
    warnings: z
      .array(
        z
          .strictObject({ row: z.int().nullable(), code: z.string(), message: z.string() })
          .meta({ id: 'ImportPreviewWarning' }),
      )
      .describe(
        'What is odd about those rows, or about the file where no row is named, though it is no fault.',
      )
      .meta({
        examples: [[{ row: 3, code: 'money_out', message: 'Money goes out: the row is left alone' }]],
      }),
  })
  .meta({ id: 'ImportPreview' });

/** Shows how a file would be read; nothing of it is kept. */
export function previewOfUpload(kind: ImportedKind): Endpoint {
  const { domain, options, guard } = kind;
  return upload({
    id: `${domain.kind}.preview_import`,
    method: 'post',
    path: `${uploadPathOf(kind)}/preview`,
    scope: domain.scope,
    summary: 'Preview an import',
    description:
      'Judged by the beginning of the file: the encoding is a guess until an import has seen the whole. Nothing is kept. The form is that of the import; of its options those count that say how the file is read.',
    file: { field: 'file', limit: 200 * LIMITS.head_bytes, keep: false },
    fields: options,
    reply: z.strictObject({ preview: ImportPreview }),
    raises: ['unsupported_media_type', ...(guard?.raises ?? [])],
    async handle({ fields, file }, work) {
      guard?.check(work);
      work.nothingChanged();
      const preview = await previewImport(work, domain, {
        file,
        options: domain.options.parse(fields),
      });
      const { encoding, delimiter, has_header, columns, mapping, rows } = preview;
      const ignored_columns = [...preview.ignored_columns];
      const normalized = [...preview.normalized];
      const read = { encoding, delimiter, has_header, columns, ignored_columns, mapping };
      const [warnings, same_file_as] = [[...preview.warnings], [...preview.same_file_as]];
      return { preview: { ...read, rows, normalized, warnings, same_file_as } };
    },
  });
}
