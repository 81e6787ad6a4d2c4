import { oneOf } from '../../db/one-of.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { receivedContext } from '../context.ts';
import { filesOf } from '../files/queries.ts';
import type { ReceivedPayment } from '../payments/record.ts';
import { lineColumns, type ReceivedRow, receivedColumns } from './columns.ts';
import { NO_INPUT_TAX, NO_MATCH } from './fields.ts';
import type { ReceivedKind } from './kinds.ts';
import type { StoredLine } from './line.ts';
import { linkedTo } from './linked.ts';
import type { ReceivedDocument } from './record.ts';

const BY_IDS = `SELECT ${receivedColumns.join(', ')} FROM received_documents
  WHERE organization_id = $1 AND kind = $2 AND id = ${oneOf('$3')} ORDER BY id`;

const OF_ANY_KIND = `SELECT ${receivedColumns.join(', ')} FROM received_documents
  WHERE organization_id = $1 AND id = ${oneOf('$2')}`;

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

/** Documents of any kind by their IDs, without lines and claims where `whole` is false; missing ones are left out. */
export async function documentsById(
  reader: Reader,
  ids: readonly string[],
  { whole }: { whole: boolean },
): Promise<Map<string, ReceivedDocument>> {
  if (ids.length === 0) return new Map();
  const rows = reader.connection.query<ReceivedRow>(OF_ANY_KIND, [reader.organization_id, ids]);
  const documents = await withParts(reader, rows, ids, { whole });
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
  WHERE organization_id = $1 AND document_id = ${oneOf('$2')} ORDER BY document_id, position`;

const PAYMENTS = `SELECT document_id, id, 'received.payment' AS object, paid_on, paid_at, amount, method, fee_amount,
    fee_borne_by, transferred_amount, note, external_id, metadata, created_by, created_at
  FROM received_payments WHERE organization_id = $1 AND document_id = ${oneOf('$2')} ORDER BY document_id, paid_on, id`;

const CLAIMS = `SELECT document_id, claim FROM received_claims
  WHERE organization_id = $1 AND document_id = ${oneOf('$2')} ORDER BY claim`;

const JOURNALS = `SELECT source_id AS document_id, id FROM accounting_journals
  WHERE organization_id = $1 AND source_id = ${oneOf('$2')} ORDER BY id`;

/** A document with the entries that an operation has just made or taken back, which are sent before they are read. */
export async function withJournals(work: Work, document: ReceivedDocument): Promise<ReceivedDocument> {
  await work.flush();
  const journals = await work.connection.query<{ id: string }>(JOURNALS, [
    work.organization_id,
    [document.id],
  ]);
  return { ...document, journal_ids: journals.map(({ id }) => id) };
}

/**
 * Rows with what other tables hold of them, one statement a table for any number of documents; files and payments are asked
 * for where rows say that there are some. Lines and claims, which no list shows, are left out where `whole` is false.
 */
async function withParts(
  reader: Reader,
  rows: Promise<ReceivedRow[]>,
  ids: readonly string[],
  { whole } = { whole: true },
): Promise<ReceivedDocument[]> {
  const { connection, organization_id } = reader;
  const read = <Value>(text: string, of: readonly string[] = ids) =>
    of.length === 0 ? [] : connection.query<Part<Value>>(text, [organization_id, of]);
  const [found, own, claims, linked_to, files_of, payments] = await Promise.all([
    rows,
    whole ? read<StoredLine>(LINES) : [],
    whole ? read<{ claim: string }>(CLAIMS) : [],
    linkedTo(reader, ids),
    rows.then((all) => filesOf(reader, idsOf(all.filter(({ file_count }) => file_count > 0)))),
    rows.then((all) =>
      read<ReceivedPayment>(PAYMENTS, idsOf(all.filter(({ amount_paid }) => amount_paid !== 0))),
    ),
    receivedContext(reader),
  ]);
  const lines_of = partsOf(own);
  const payments_of = partsOf(payments);
  const claims_of = partsOf(claims);
  return found.map((row) => ({
    ...row,
    ...linked_to(row.id),
    input_tax: row.input_tax ?? NO_INPUT_TAX,
    match: row.match ?? NO_MATCH,
    lines: lines_of(row.id),
    files: files_of.get(row.id) ?? [],
    payments: payments_of(row.id),
    claims: claims_of(row.id).map(({ claim }) => claim),
  }));
}

const idsOf = (rows: readonly ReceivedRow[]) => rows.map(({ id }) => id);

function partsOf<Value>(all: readonly Part<Value>[]): (document_id: string) => Omit<Value, 'document_id'>[] {
  const byDocument = Map.groupBy(all, ({ document_id }) => document_id);
  return (document_id) =>
    (byDocument.get(document_id) ?? []).map(
      ({ document_id: _, ...part }) => part as Omit<Value, 'document_id'>,
    );
}
