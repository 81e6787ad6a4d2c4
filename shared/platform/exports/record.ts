import { z } from 'zod';
import { TenantModel } from '../../db/model.ts';
import { type Language, languages, says } from '../../kernel/language.ts';
import type { Actor } from '../../kernel/reader.ts';
import { freeText } from '../../kernel/schema.ts';
import type { Sort } from '../../kernel/window.ts';

export const encodings = ['utf-8-bom', 'utf-8', 'shift_jis'] as const;
const lineEndings = ['crlf', 'lf'] as const;

/** How the file is to be written. */
export const ExportForm = z.strictObject({
  columns: z
    .array(freeText(200).min(1))
    .min(1)
    .max(500)
    .refine((names) => new Set(names).size === names.length, {
      params: { code: 'duplicate' },
      error: says({ en: 'must name each column once', ja: 'には同じ列を重複して指定できません' }),
    })
    .describe('The columns in their order, by the names of the fields; all unless said.')
    .optional(),
  encoding: z
    .enum(encodings)
    .describe(
      '`utf-8-bom` unless said, which spreadsheets open as it is. `shift_jis` is that of Windows (CP932); a letter ' +
        'that it lacks becomes 〓 and is counted.',
    )
    .optional(),
  line_ending: z.enum(lineEndings).describe('`crlf` unless said.').optional(),
  lang: z
    .enum(languages)
    .describe(
      'The language of the header, and of words such as statuses. `en` unless said: the names of the fields, the words of the API. ' +
        'With `ja` Japanese labels and words, which an import knows too.',
    )
    .optional(),
});

/** What was asked for, as it is kept until the export has ended. */
export type ExportRequest = {
  exporter: string;
  filters: Record<string, unknown>;
  sort: Sort[];
  created_after: string | null;
  created_before: string | null;
  /** Absent in what the release before was asked for. */
  updated_after?: string | null;
  updated_before?: string | null;
  /** Who asked, where the rows depend on that. What they may see is looked up when the file is written. */
  asking?: Pick<Actor, 'type' | 'id' | 'user_id'>;
  /** Null for all. */
  columns: string[] | null;
  encoding: (typeof encodings)[number];
  line_ending: (typeof lineEndings)[number];
  /** Absent in what the release before was asked for. */
  lang?: Language;
};

export class ExportModel extends TenantModel {
  static override tableName = 'exports';
  static override jsonAttributes = ['request'];
}

/** What the job of an export says when it is done. */
export type ExportResult = {
  rows: number;
  /** Letters that became 〓. */
  replaced_characters: number;
  columns: string[];
  encoding: ExportRequest['encoding'];
  size: number;
};
