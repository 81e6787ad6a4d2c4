import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { receivedContext } from '../context.ts';
import { filesOf } from '../files/queries.ts';
import type { ReceivedPayment } from '../payments/record.ts';
import { ALIKE } from './alike.ts';
import { lineColumns, type ReceivedRow, receivedColumns } from './columns.ts';
import { type Link, NO_INPUT_TAX, NO_MATCH } from './fields.ts';
import type { ReceivedKind } from './kinds.ts';
import type { StoredLine } from './line.ts';
import type { ReceivedDocument } from './record.ts';

const BY_IDS = `SELECT ${receivedColumns.join(', ')} FROM received_documents
  WHERE organization_id = $1 AND kind = $2 AND id = ANY ($3) ORDER BY id`;

const OF_ANY_KIND = `SELECT ${receivedColumns.join(', ')} FROM received_documents
  WHERE organization_id = $1 AND id = ANY ($2)`;

/** One document with all that belongs to it. Errors: `not_found`. */
export async function storedDocument(
  reader: Reader,
  kind: ReceivedKind,
  id: string,
): Promise<ReceivedDocument> {
  const [document] = await withParts(reader, rowsOf(reader, BY_IDS, kind, [id]), [id]);
  if (!document) throw notFound();
  return document;
}

/** Documents of any kind by their IDs, without lines where `lines` is false; missing ones are left out. */
export async function documentsById(
  reader: Reader,
  ids: readonly string[],
  { lines }: { lines: boolean },
): Promise<Map<string, ReceivedDocument>> {
  if (ids.length === 0) return new Map();
  const rows = reader.connection.query<ReceivedRow>(OF_ANY_KIND, [reader.organization_id, ids]);
  const documents = await withParts(reader, rows, ids, { lines });
  return new Map(documents.map((document) => [document.id, document]));
}

/**
 * A document, its row locked until the work commits; what belongs to it is read once the lock is held. Documents are locked
 * before the purchase orders that they answer, and those before the books. Errors: `not_found`.
 */
export async function documentForUpdate(
  work: Work,
  kind: ReceivedKind,
  id: string,
): Promise<ReceivedDocument> {
  const [document] = await documentsForUpdate(work, kind, [id]);
  if (!document) throw notFound();
  return document;
}

/** Documents in the order of their IDs, which is the order in which they are locked; missing ones are left out. */
export function documentsForUpdate(
  work: Work,
  kind: ReceivedKind,
  ids: readonly string[],
): Promise<ReceivedDocument[]> {
  return withParts(work, rowsOf(work, `${BY_IDS} FOR NO KEY UPDATE`, kind, ids), ids);
}

function rowsOf(
  { connection, organization_id }: Reader,
  text: string,
  kind: ReceivedKind,
  ids: readonly string[],
): Promise<ReceivedRow[]> {
  return connection.query<ReceivedRow>(text, [organization_id, kind, ids]);
}

type Part<Value> = Value & { document_id: string };

const LINES = `SELECT ${lineColumns.join(', ')} FROM received_lines
  WHERE organization_id = $1 AND document_id = ANY ($2) ORDER BY document_id, position`;

const PAYMENTS = `SELECT document_id, id, 'received.payment' AS object, paid_on, paid_at, amount, method, fee_amount,
    fee_borne_by, transferred_amount, note, external_id, metadata, created_by, created_at
  FROM received_payments WHERE organization_id = $1 AND document_id = ANY ($2) ORDER BY document_id, paid_on, id`;

const CLAIMS = `SELECT document_id, claim FROM received_claims
  WHERE organization_id = $1 AND document_id = ANY ($2) ORDER BY claim`;

const MADE_OF = `SELECT target_id AS document_id, source_type AS type, source_id AS id FROM invoicing_links
  WHERE organization_id = $1 AND target_id = ANY ($2) ORDER BY source_id`;

const MADE_INTO = `SELECT source_id AS document_id, target_type AS type, target_id AS id FROM invoicing_links
  WHERE organization_id = $1 AND source_id = ANY ($2) ORDER BY target_id`;

const JOURNALS = `SELECT source_id AS document_id, id FROM accounting_journals
  WHERE organization_id = $1 AND source_id = ANY ($2) ORDER BY id`;

/** A document with the entries that an operation has just made or taken back, which are sent before they are read. */
export async function withJournals(work: Work, document: ReceivedDocument): Promise<ReceivedDocument> {
  await work.flush();
  const journals = await work.connection.query<{ id: string }>(JOURNALS, [
    work.organization_id,
    [document.id],
  ]);
  return { ...document, journal_ids: journals.map(({ id }) => id) };
}

const BILLED_BY = `SELECT note.id AS document_id, min(invoice.id) AS id
  FROM received_documents AS note
  JOIN received_documents AS invoice
    ON invoice.organization_id = $1 AND invoice.purchase_order_id = note.purchase_order_id
       AND invoice.kind = 'invoice' AND invoice.status IN ('approved', 'partially_paid', 'paid')
 WHERE note.organization_id = $1 AND note.id = ANY ($2) AND note.kind = 'delivery_note' GROUP BY note.id`;

/** Rows with what other tables hold of them, one statement a table for any number of documents. */
async function withParts(
  reader: Reader,
  rows: Promise<ReceivedRow[]>,
  ids: readonly string[],
  { lines } = { lines: true },
): Promise<ReceivedDocument[]> {
  const { connection, organization_id } = reader;
  const read = <Value>(text: string) => connection.query<Part<Value>>(text, [organization_id, ids]);
  const [found, own, files_of, payments, claims, made_of, made_into, journals, billing, alike] =
    await Promise.all([
      rows,
      lines ? read<StoredLine>(LINES) : [],
      filesOf(reader, ids),
      read<ReceivedPayment>(PAYMENTS),
      read<{ claim: string }>(CLAIMS),
      read<Link>(MADE_OF),
      read<Link>(MADE_INTO),
      read<{ id: string }>(JOURNALS),
      read<{ id: string }>(BILLED_BY),
      read<{ id: string }>(ALIKE),
      receivedContext(reader),
    ]);
  const lines_of = partsOf(own);
  const payments_of = partsOf(payments);
  const claims_of = partsOf(claims);
  const made_of_of = partsOf(made_of);
  const made_into_of = partsOf(made_into);
  const journals_of = partsOf(journals);
  const billing_of = partsOf(billing);
  const alike_of = partsOf(alike);
  return found.map((row) => ({
    ...row,
    input_tax: row.input_tax ?? NO_INPUT_TAX,
    match: row.match ?? NO_MATCH,
    lines: lines_of(row.id),
    files: files_of.get(row.id) ?? [],
    payments: payments_of(row.id),
    claims: claims_of(row.id).map(({ claim }) => claim),
    source: made_of_of(row.id),
    converted_to: made_into_of(row.id),
    journal_ids: journals_of(row.id).map(({ id }) => id),
    billed_by: billing_of(row.id)[0]?.id ?? null,
    duplicates: alike_of(row.id).map(({ id }) => id),
  }));
}

function partsOf<Value>(all: readonly Part<Value>[]): (document_id: string) => Omit<Value, 'document_id'>[] {
  const byDocument = Map.groupBy(all, ({ document_id }) => document_id);
  return (document_id) =>
    (byDocument.get(document_id) ?? []).map(
      ({ document_id: _, ...part }) => part as Omit<Value, 'document_id'>,
    );
}
