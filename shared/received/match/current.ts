import { oneOf } from '../../db/one-of.ts';
import { documentsById, linesOf, lockDocuments } from '../../invoicing/documents/rows.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { receivedContext } from '../context.ts';
import { NO_MATCH, type OrderMatch } from '../documents/fields.ts';
import type { StoredLine } from '../documents/line.ts';
import type { ReceivedDocument } from '../documents/record.ts';
import { fraction, plus } from './fraction.ts';
import { type BilledLine, type MatchInput, matchOf, type OrderLine } from './match.ts';
import { type PairedBy, pairsOf } from './pairs.ts';

/**
 * Locks a document by `lock`, behind our purchase order that it answers: who decides on an invoice or a delivery note holds the
 * order, so what others decide is seen, or comes later. Orders come before received documents in every work. Where the
 * document answers another order by then, that one is locked too.
 */
export async function lockedBehindOrder(
  work: Work,
  id: string,
  lock: () => Promise<ReceivedDocument>,
): Promise<ReceivedDocument> {
  const { connection, organization_id } = work;
  const [seen] = await connection.query<{ purchase_order_id: string | null }>(
    'SELECT purchase_order_id FROM received_documents WHERE organization_id = $1 AND id = $2',
    [organization_id, id],
  );
  const expected = seen?.purchase_order_id ?? null;
  if (expected !== null) await lockDocuments(work, 'purchase_order', [expected]);
  const document = await lock();
  const { purchase_order_id } = document;
  if (purchase_order_id !== null && purchase_order_id !== expected) {
    await lockDocuments(work, 'purchase_order', [purchase_order_id]);
  }
  return document;
}

/** An invoice as its match is found of it: its lines are counted, and its sums are those of its totals. */
type Matched = Pick<
  ReceivedDocument,
  'id' | 'kind' | 'purchase_order_id' | 'match_mode' | 'tax_display_mode' | 'lines' | 'tax_breakdown'
>;

/**
 * How an invoice agrees with its order as things are now: with what was accepted by confirmed delivery notes, and with what
 * other invoices charge that are approved or paid. Whoever decides by it locks the order before.
 */
export async function currentMatch(reader: Reader, invoice: Matched): Promise<OrderMatch> {
  return (await currentMatches(reader, [invoice])).get(invoice.id)!;
}

/** The same of several, by their IDs: one statement a table for any number of them. */
export async function currentMatches(
  reader: Reader,
  invoices: readonly Matched[],
): Promise<Map<string, OrderMatch>> {
  const answering = invoices.filter(({ kind }) => kind === 'invoice');
  const order_ids = [...new Set(answering.flatMap(({ purchase_order_id }) => purchase_order_id ?? []))];
  const none = new Map(invoices.map(({ id }) => [id, NO_MATCH]));
  if (order_ids.length === 0) return none;
  const [orders, order_lines, decided, { settings }] = await Promise.all([
    documentsById(reader, 'purchase_order', order_ids),
    linesOf(reader, order_ids),
    decidedOn(reader, order_ids),
    receivedContext(reader),
  ]);
  const found = answering.flatMap((invoice): [string, OrderMatch][] => {
    const { purchase_order_id } = invoice;
    if (purchase_order_id === null) return [];
    const { tax_display_mode } = orders.get(purchase_order_id) ?? invoice;
    // An order that was deleted has no lines: nothing of the invoice was ordered.
    const ordered = { tax_display_mode, lines: order_lines(purchase_order_id).flatMap(pricedLine) };
    const others = decided.filter(
      (line) => line.purchase_order_id === purchase_order_id && line.document_id !== invoice.id,
    );
    return [[invoice.id, matchOf(inputOf(invoice, ordered, others, settings.match_tolerance))]];
  });
  return new Map([...none, ...found]);
}

function inputOf(
  { match_mode, tax_display_mode, lines, tax_breakdown }: Matched,
  order: MatchInput['order'],
  others: readonly DecidedLine[],
  tolerance: MatchInput['tolerance'],
): MatchInput {
  const lined = new Set(lines.map(({ tax_category }) => tax_category));
  return {
    match_mode: match_mode ?? 'three_way',
    tax_display_mode,
    lines: lines.flatMap(pricedLine) as BilledLine[],
    unlined: tax_breakdown.filter(({ tax_category, gross }) => gross !== 0 && !lined.has(tax_category)),
    order,
    accepted: unitsOf(others, 'delivery_note', order.lines),
    before: unitsOf(others, 'invoice', order.lines),
    tolerance,
  };
}

type Priceable = Pick<StoredLine, 'quantity' | 'unit_price' | 'tax_rate'>;

/** The line where it is an item; text has neither quantity nor price. */
function pricedLine<Line extends Priceable>(line: Line) {
  const { quantity, unit_price, tax_rate } = line;
  if (quantity === null || unit_price === null || tax_rate === null) return [];
  return [{ ...line, quantity, unit_price, tax_rate }];
}

/** A line of an invoice or a delivery note that was decided on, with the units that it charged or that were accepted. */
type DecidedLine = PairedBy & {
  kind: 'invoice' | 'delivery_note';
  document_id: string;
  purchase_order_id: string;
  units: string;
};

const DECIDED = `
  SELECT document.kind, document.purchase_order_id, line.document_id, line.purchase_order_line_id, line.item_code,
         line.description, line.unit,
         CASE document.kind WHEN 'invoice' THEN line.quantity ELSE coalesce(line.accepted_quantity, 0) END AS units
    FROM received_documents AS document
    JOIN received_lines AS line ON line.organization_id = $1 AND line.document_id = document.id
   WHERE document.organization_id = $1 AND document.purchase_order_id = ${oneOf('$2')} AND line.type = 'item'
     AND (document.kind = 'invoice' AND document.status IN ('approved', 'partially_paid', 'paid')
       OR document.kind = 'delivery_note' AND document.status = 'confirmed')
   ORDER BY line.document_id, line.position`;

/** The lines of what was decided on for orders: of as many documents as it took to deliver and to charge them. */
function decidedOn(
  { connection, organization_id }: Reader,
  order_ids: readonly string[],
): Promise<DecidedLine[]> {
  return connection.query<DecidedLine>(DECIDED, [organization_id, order_ids]);
}

/** Units by line of the order; the lines of each document find theirs by themselves. */
function unitsOf(
  decided: readonly DecidedLine[],
  kind: DecidedLine['kind'],
  order: readonly OrderLine[],
): MatchInput['accepted'] {
  const units = new Map<string, ReturnType<typeof fraction>>();
  const documents = Map.groupBy(
    decided.filter((line) => line.kind === kind),
    ({ document_id }) => document_id,
  );
  for (const lines of documents.values()) {
    for (const [place, { id }] of pairsOf(lines, order)) {
      const own = fraction(lines[place]!.units);
      units.set(id, plus(units.get(id) ?? fraction(0), own));
    }
  }
  return units;
}

/** Whether the match of a document is still open: what others deliver and charge changes it until it is decided on. */
export function changesWithOthers({
  kind,
  status,
  purchase_order_id,
}: Pick<ReceivedDocument, 'kind' | 'status' | 'purchase_order_id'>): boolean {
  return kind === 'invoice' && status === 'pending' && purchase_order_id !== null;
}

/** Documents with the matches that are still open as they are now; what was decided on keeps that it was decided by. */
export async function withCurrentMatches(
  reader: Reader,
  documents: readonly ReceivedDocument[],
): Promise<ReceivedDocument[]> {
  const matches = await currentMatches(reader, documents.filter(changesWithOthers));
  return documents.map((document) => ({ ...document, match: matches.get(document.id) ?? document.match }));
}
