import { oneOf } from '../../db/one-of.ts';
import type { Reader } from '../../kernel/reader.ts';
import { EMAIL_COLUMNS, type EmailRow, emailOf, NEWEST_EMAILS } from '../emails/state.ts';
import { type DocumentPdf, NO_PDF, PDF_COLUMNS, type PdfRow, pdfOf } from '../pdf/state.ts';
import { type DocumentEmail, NO_EMAIL } from './fields.ts';
import { type DocumentKind, documentKinds } from './kinds.ts';

/** What a document was converted from or into. */
export type DocumentLink = { type: string; id: string };

/** What belongs to a document but stands in other tables. */
export type Related = {
  source: DocumentLink[];
  /** Only what still stands: a deleted draft or a cancelled invoice frees what it was made from. */
  converted_to: DocumentLink[];
  /** Delivery notes: whether some of its lines can still be invoiced. */
  has_open_quantity: boolean;
  /** Invoices: the draft that will replace it. */
  open_revision_id: string | null;
  /** Invoices: what came to the one that a draft would replace, so that it no longer can. */
  replaced_has: 'payments' | 'credit_notes' | null;
  email: DocumentEmail;
  pdf: DocumentPdf;
};

/** Of a document that has just been made. */
export const NOTHING_RELATED: Related = {
  source: [],
  converted_to: [],
  has_open_quantity: false,
  open_revision_id: null,
  replaced_has: null,
  email: NO_EMAIL,
  pdf: NO_PDF,
};

/**
 * SQL: whether a `document` takes quantities from what it was made of. A draft that will replace a living invoice does
 * not yet: until it is approved they are those of that invoice, and counting both would count them twice.
 */
export const TAKES = `document.status <> 'cancelled' AND NOT (document.status = 'draft' AND EXISTS (
         SELECT FROM invoicing_documents AS replaced
          WHERE replaced.organization_id = document.organization_id AND replaced.id = document.revises_id
            AND replaced.status <> 'cancelled'))`;

// The open quantity of a line is a magnitude: a line that takes back has a negative quantity.
const OPEN = `EXISTS (
  SELECT FROM invoicing_lines AS line
   WHERE line.organization_id = $1 AND line.document_id = asked.id AND line.type = 'item'
     AND abs(line.quantity) > abs(coalesce((
       SELECT sum(taken.quantity) FROM invoicing_lines AS taken
         JOIN invoicing_documents AS document
           ON document.organization_id = $1 AND document.id = taken.document_id AND ${TAKES}
        WHERE taken.organization_id = $1 AND taken.source_line_id = line.id), 0)))`;

const MADE_OF = `
  SELECT target_id AS id, json_agg(json_build_object('type', source_type, 'id', source_id) ORDER BY source_id) AS links
    FROM invoicing_links WHERE organization_id = $1 AND target_id = ${oneOf('$2')} GROUP BY target_id`;

const MADE_INTO = `
  SELECT source_id AS id,
      json_agg(json_build_object('type', target_type, 'id', target_id) ORDER BY target_id) AS links
    FROM invoicing_links AS link
    LEFT JOIN invoicing_documents AS target ON target.organization_id = $1 AND target.id = link.target_id
   WHERE link.organization_id = $1 AND source_id = ${oneOf('$2')} AND target.status IS DISTINCT FROM 'cancelled'
   GROUP BY source_id`;

const REVISIONS = `
  SELECT revises_id, min(id) AS open_revision_id FROM invoicing_documents
   WHERE organization_id = $1 AND revises_id = ${oneOf('$2')} AND status = 'draft' GROUP BY revises_id`;

const REPLACED_HAS = `CASE WHEN asked.status <> 'draft' THEN NULL
    WHEN replaced.status IN ('partially_paid', 'paid') THEN 'payments'
    WHEN replaced.credited <> 0 THEN 'credit_notes' END`;

/** SQL: what stands beside the documents `asked`, whose IDs are `$2`; `$1` is the organization. */
export const besideColumns = (kind: DocumentKind) => `${PDF_COLUMNS}, ${EMAIL_COLUMNS},
  made_of.links AS source, made_into.links AS converted_to,
  ${kind === 'invoice' ? 'revision.open_revision_id' : 'NULL AS open_revision_id'},
  ${kind === 'invoice' ? REPLACED_HAS : 'NULL'} AS replaced_has,
  ${kind === 'delivery_note' ? OPEN : 'false'} AS has_open_quantity`;

/** Each of it is read for all documents at once: most have none, and a look for each of them costs more than a row. */
export const besideJoins = (kind: DocumentKind) => `
  LEFT JOIN invoicing_prints
    ON invoicing_prints.organization_id = $1 AND invoicing_prints.document_id = asked.id
  LEFT JOIN (${NEWEST_EMAILS}) AS newest ON newest.document_id = asked.id
  LEFT JOIN (${MADE_OF}) AS made_of ON made_of.id = asked.id
  LEFT JOIN (${MADE_INTO}) AS made_into ON made_into.id = asked.id
  ${kind === 'invoice' ? `LEFT JOIN (${REVISIONS}) AS revision ON revision.revises_id = asked.id ${REPLACED}` : ''}`;

const REPLACED = `
  LEFT JOIN invoicing_documents AS replaced
    ON replaced.organization_id = $1 AND replaced.id = asked.revises_id`;

/** The text of a statement over documents of each kind. */
export function statementsOf(text: (kind: DocumentKind) => string): Record<DocumentKind, string> {
  const texts = documentKinds.map((kind) => [kind, text(kind)]);
  return Object.fromEntries(texts) as Record<DocumentKind, string>;
}

const statements = statementsOf(
  (kind) =>
    `SELECT asked.id, ${besideColumns(kind)} FROM invoicing_documents AS asked ${besideJoins(kind)}
      WHERE asked.organization_id = $1 AND asked.id = ${oneOf('$2')}`,
);

/** What a statement with `besideColumns` answers. */
export type BesideRow = PdfRow &
  EmailRow & {
    id: string;
    source: DocumentLink[] | null;
    converted_to: DocumentLink[] | null;
    open_revision_id: string | null;
    replaced_has: Related['replaced_has'];
    has_open_quantity: boolean;
  };

/** What stands beside documents of a kind. */
export async function relatedOf(
  reader: Reader,
  kind: DocumentKind,
  ids: readonly string[],
): Promise<(id: string) => Related> {
  if (ids.length === 0) return () => NOTHING_RELATED;
  const rows = await reader.connection.query<BesideRow>(statements[kind], [reader.organization_id, ids]);
  const byId = new Map(rows.map((row) => [row.id, relatedIn(row)]));
  return (id) => byId.get(id) ?? NOTHING_RELATED;
}

/** What stands beside a document, from the columns of its row. */
export function relatedIn(row: BesideRow): Related {
  return {
    source: row.source ?? [],
    converted_to: row.converted_to ?? [],
    has_open_quantity: row.has_open_quantity,
    open_revision_id: row.open_revision_id,
    replaced_has: row.replaced_has,
    email: emailOf(row),
    pdf: pdfOf(row),
  };
}
