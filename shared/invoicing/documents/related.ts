import type { Reader } from '../../kernel/reader.ts';
import { emailsOf } from '../emails/state.ts';
import { type DocumentPdf, NO_PDF, PDF_COLUMNS, type PdfRow, pdfOf } from '../pdf/state.ts';
import { type DocumentEmail, NO_EMAIL } from './fields.ts';
import type { DocumentKind } from './kinds.ts';

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
  email: DocumentEmail;
  pdf: DocumentPdf;
};

/** Of a document that has just been made. */
export const NOTHING_RELATED: Related = {
  source: [],
  converted_to: [],
  has_open_quantity: false,
  open_revision_id: null,
  email: NO_EMAIL,
  pdf: NO_PDF,
};

type LinkRow = { id: string; side: 'source' | 'converted_to'; other_type: string; other_id: string };

const LINKS = `
  SELECT target_id AS id, 'source' AS side, source_type AS other_type, source_id AS other_id
    FROM invoicing_links WHERE organization_id = $1 AND target_id = ANY ($2)
   UNION ALL
  SELECT link.source_id, 'converted_to', link.target_type, link.target_id
    FROM invoicing_links AS link
    LEFT JOIN invoicing_documents AS target ON target.organization_id = $1 AND target.id = link.target_id
   WHERE link.organization_id = $1 AND link.source_id = ANY ($2) AND target.status IS DISTINCT FROM 'cancelled'
   ORDER BY side, other_id`;

const PRINTS = `
  SELECT document_id, ${PDF_COLUMNS} FROM invoicing_prints
   WHERE organization_id = $1 AND document_id = ANY ($2)`;

const REVISED = `
  SELECT revises_id AS id, id AS open_revision_id FROM invoicing_documents
   WHERE organization_id = $1 AND revises_id = ANY ($2) AND status = 'draft'`;

/**
 * SQL: whether a `document` takes quantities from what it was made of. A draft that will replace a living invoice does
 * not yet: until it is approved they are those of that invoice, and counting both would count them twice.
 */
export const TAKES = `document.status <> 'cancelled' AND NOT (document.status = 'draft' AND EXISTS (
         SELECT FROM invoicing_documents AS replaced
          WHERE replaced.organization_id = document.organization_id AND replaced.id = document.revises_id
            AND replaced.status <> 'cancelled'))`;

// What is open of a line is told by magnitude: a line that takes back has a negative quantity.
const OPEN = `
  SELECT DISTINCT line.document_id AS id FROM invoicing_lines AS line
   WHERE line.organization_id = $1 AND line.document_id = ANY ($2) AND line.type = 'item'
     AND abs(line.quantity) > abs(coalesce((
       SELECT sum(taken.quantity) FROM invoicing_lines AS taken
         JOIN invoicing_documents AS document
           ON document.organization_id = $1 AND document.id = taken.document_id AND ${TAKES}
        WHERE taken.organization_id = $1 AND taken.source_line_id = line.id), 0))`;

/** What stands beside documents of a kind, in a few statements that travel together. */
export async function relatedOf(
  reader: Reader,
  kind: DocumentKind,
  ids: readonly string[],
): Promise<(id: string) => Related> {
  if (ids.length === 0) return () => NOTHING_RELATED;
  const values = [reader.organization_id, ids];
  const { connection } = reader;
  const [links, prints, emailOf, revisions, open] = await Promise.all([
    connection.query<LinkRow>(LINKS, values),
    connection.query<PdfRow & { document_id: string }>(PRINTS, values),
    emailsOf(reader, ids),
    kind === 'invoice' ? connection.query<{ id: string; open_revision_id: string }>(REVISED, values) : [],
    kind === 'delivery_note' ? connection.query<{ id: string }>(OPEN, values) : [],
  ]);
  const revised = new Map(revisions.map((revision) => [revision.id, revision]));
  const opened = new Set(open.map(({ id }) => id));
  const printOf = new Map(prints.map((print) => [print.document_id, print]));
  const linksOf = Map.groupBy(links, ({ id }) => id);
  return (id) => {
    const own = linksOf.get(id) ?? [];
    const on = (side: LinkRow['side']) =>
      own
        .filter((link) => link.side === side)
        .map(({ other_type, other_id }) => ({ type: other_type, id: other_id }));
    const print = printOf.get(id);
    return {
      source: on('source'),
      converted_to: on('converted_to'),
      has_open_quantity: opened.has(id),
      open_revision_id: revised.get(id)?.open_revision_id ?? null,
      email: emailOf(id),
      pdf: print ? pdfOf(print) : NO_PDF,
    };
  };
}
