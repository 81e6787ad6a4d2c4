import { isFiltered, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { pick } from '../../kernel/record-fields.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { searchTerm } from '../../platform/search/grams.ts';
import { type ListedTemplate, type Template, TemplateModel, templateKind } from './record.ts';

const listed = [
  'id',
  'name',
  'subject',
  'preheader',
  'placeholders',
  'external_id',
  'metadata',
  'created_at',
  'updated_at',
] as const;

const columns = [...listed, 'body_html', 'body_text'] as const;

type ListedRow = Pick<Template, (typeof listed)[number]>;

type TemplateRow = Pick<Template, (typeof columns)[number]>;

const BY_ID = `SELECT ${columns.join(', ')} FROM mail_templates WHERE organization_id = $1 AND id = $2`;

/** One template with its bodies. Errors: `not_found`. */
export async function templateById(reader: Reader, id: string): Promise<Template> {
  return readTemplate(reader, id, '');
}

/** The same, its row locked until the work commits; for a removal no campaign begins to name it. Errors: `not_found`. */
export async function lockTemplate(
  reader: Reader,
  id: string,
  purpose: 'change' | 'removal',
): Promise<Template> {
  return readTemplate(reader, id, purpose === 'change' ? 'FOR NO KEY UPDATE' : 'FOR UPDATE');
}

async function readTemplate(
  { connection, organization_id }: Reader,
  id: string,
  lock: '' | 'FOR NO KEY UPDATE' | 'FOR UPDATE',
): Promise<Template> {
  const [row] = await connection.query<TemplateRow>(`${BY_ID} ${lock}`, [organization_id, id]);
  if (!row) throw notFound();
  return { object: 'mail.template', ...pick(row, columns) };
}

export type TemplateFilters = LookUps & { search?: string | undefined };

/** A window of the templates that the filters leave, without their bodies. Errors: `invalid_cursor`. */
export async function templatePage(
  reader: Reader,
  filters: TemplateFilters,
  window: Window,
): Promise<Page<ListedTemplate>> {
  const { search } = filters;
  const page = await pageOf<ListedRow>(reader, {
    query: TemplateModel.table(reader),
    table: TemplateModel.tableName,
    columns: listed,
    prefix: 'mtpl',
    window,
    is_filtered: isFiltered(filters),
    look_ups: { kind: templateKind, asked: filters },
    search: search === undefined ? null : searchTerm(search, { phones: false }),
  });
  return { ...page, rows: page.rows.map((row) => ({ object: 'mail.template', ...pick(row, listed) })) };
}
