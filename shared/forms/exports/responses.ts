import type { ExportColumn, Exporter, MadeColumns } from '../../platform/exports/exporter.ts';
import type { ResponseFilters } from '../responses/filters.ts';
import { responsesListed } from '../responses/list.ts';
import { type Catalogue, catalogueOf } from '../versions/catalogue.ts';
import { type CellValues, columnsOfField, ownColumns } from './columns.ts';

/** What the first lines of the file say of the columns. */
export const headerKinds = ['labels', 'ids', 'both'] as const;

/** What a request keeps as the filters of an export. */
export type ExportedResponses = ResponseFilters & {
  form_id: string;
  header: (typeof headerKinds)[number];
  values: CellValues;
};

/** The responses of a form as a file, with a column for every field that a version of it has or had. */
export const responseExport: Exporter = {
  name: 'forms.responses',
  scope: 'forms:read',
  title: '回答',
  record: 'form_id',
  columns: [],
  japanese: {},
  async made(reader, filters) {
    const asked = filters as ExportedResponses;
    const catalogue = (await catalogueOf(reader, asked.form_id)) ?? NOTHING_PUBLISHED;
    return exportedColumns(catalogue, asked);
  },
  list(reader, filters, window) {
    const { form_id, header, values, ...others } = filters as ExportedResponses;
    return responsesListed(reader, form_id, others, window);
  },
};

const NOTHING_PUBLISHED: Catalogue = { locale: 'ja', fields: [], page_ids: [], hidden: [], scores: [] };

/** The columns of the file and its header. Equal labels of fields are told apart by the IDs. */
export function exportedColumns(
  catalogue: Catalogue,
  { header, values, is_spam = 'false' }: Pick<ExportedResponses, 'header' | 'values' | 'is_spam'>,
): MadeColumns {
  const own = ownColumns(catalogue, is_spam !== 'false');
  const ofFields = catalogue.fields.flatMap((field) => columnsOfField(field, values, catalogue.locale));
  const labels = [...own.map((column) => column.header), ...apart(own, ofFields)];
  const columns = [...own, ...ofFields];
  const ids = columns.map(({ name }) => name);
  const headers = { labels: [labels], ids: [ids], both: [labels, ids] };
  return { columns, headers: headers[header] };
}

function apart(own: readonly ExportColumn[], ofFields: readonly ExportColumn[]): string[] {
  const count = new Map<string, number>();
  for (const { header } of [...own, ...ofFields]) count.set(header, (count.get(header) ?? 0) + 1);
  return ofFields.map(({ name, header }) => (count.get(header) === 1 ? header : `${header} [${name}]`));
}
