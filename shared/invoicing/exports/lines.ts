import { column, type ExportColumn, type Exporter } from '../../platform/exports/exporter.ts';
import { contextOf } from '../documents/context.ts';
import { type DocumentKind, documentKinds } from '../documents/kinds.ts';
import { type DocumentFilters, documentList } from '../documents/queries.ts';
import { companyName } from './company-name.ts';
import { lineHeaders } from './headers.ts';
import { titles } from './titles.ts';
import { lineWords } from './values.ts';

const table = 'invoicing_documents';
const lines = 'invoicing_lines';

const ofDocument = (name: string, kind: ExportColumn['kind']) => column(table, name, kind);
const ofLine = (name: string, kind: ExportColumn['kind']) => column(lines, name, kind);

const columns: ExportColumn[] = [
  ofLine('document_id', 'text'),
  ...['number', 'status', 'company_id'].map((name) => ofDocument(name, 'text')),
  companyName(table),
  ofDocument('issue_date', 'day'),
  ofDocument('tax_display_mode', 'text'),
  ofLine('position', 'number'),
  ...['id', 'type', 'description', 'item_code'].map((name) => ofLine(name, 'text')),
  ofLine('quantity', 'number'),
  ofLine('unit', 'text'),
  ofLine('unit_price', 'number'),
  ofLine('tax_category', 'text'),
  ofLine('tax_rate', 'number'),
  column(lines, 'withholding', 'text', `CASE WHEN "${lines}".withholding THEN 'true' ELSE 'false' END`),
  ofLine('amount', 'number'),
  ofLine('source_line_id', 'text'),
];

function lineExport(kind: DocumentKind): Exporter {
  return {
    name: `invoicing.${kind}_lines`,
    scope: 'invoicing:read',
    title: `${titles[kind]}明細`,
    columns,
    japanese: lineHeaders,
    words: lineWords,
    async list(reader, filters, window) {
      const list = documentList(reader, kind, filters as DocumentFilters, window, await contextOf(reader));
      list.query.join(lines, (join) => {
        join.on(`${lines}.organization_id`, `${table}.organization_id`);
        join.on(`${lines}.document_id`, `${table}.id`);
      });
      return { ...list, then_by: [`${lines}.position`] };
    },
  };
}

/** By kind, the lines of its documents as a file, one a row, in the order of the list and of each document. */
export const lineExports = Object.fromEntries(
  documentKinds.map((kind) => [kind, lineExport(kind)]),
) as Record<DocumentKind, Exporter>;
