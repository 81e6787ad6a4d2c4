import { documentsById, linesOf, lockDocuments } from '../../invoicing/documents/rows.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import type { Amounts } from '../amounts/amounts.ts';
import { receivedContext } from '../context.ts';
import { NO_MATCH, type OrderMatch } from '../documents/fields.ts';
import type { StoredLine } from '../documents/line.ts';
import type { ReceivedDocument } from '../documents/record.ts';
import { fraction, plus } from './fraction.ts';
import { type BilledLine, type MatchInput, matchOf, type OrderLine } from './match.ts';
import { type PairedBy, pairsOf } from './pairs.ts';

/**
 * Locks our purchase order until the work commits. Who decides on an invoice or a delivery note that answers it holds the
 * order, behind the document itself: so what others decide is seen, or comes later.
 */
export async function lockAnsweredOrder(work: Work, purchase_order_id: string): Promise<void> {
  await lockDocuments(work, 'purchase_order', [purchase_order_id]);
}

type Matched = Pick<
  ReceivedDocument,
  'id' | 'kind' | 'purchase_order_id' | 'match_mode' | 'tax_display_mode'
>;

/**
 * How an invoice agrees with its order as things are now: with what was accepted by confirmed delivery notes, and with what
 * other invoices charge that are approved or paid. Whoever decides by it locks the order before.
 */
export async function currentMatch(
  reader: Reader,
  { id, kind, purchase_order_id, match_mode, tax_display_mode }: Matched,
  amounts: Pick<Amounts<StoredLine>, 'lines' | 'rows'>,
): Promise<OrderMatch> {
  if (kind !== 'invoice' || purchase_order_id === null) return NO_MATCH;
  const [orders, order_lines, answered, { settings }] = await Promise.all([
    documentsById(reader, 'purchase_order', [purchase_order_id]),
    linesOf(reader, [purchase_order_id]),
    answeredOf(reader, purchase_order_id, id),
    receivedContext(reader),
  ]);
  const order = orders.get(purchase_order_id);
  if (!order) return NO_MATCH;
  const ordered = order_lines(purchase_order_id).flatMap(pricedLine);
  const lines = amounts.lines.flatMap(pricedLine) as BilledLine[];
  const categories = new Set(amounts.lines.map(({ tax_category }) => tax_category));
  return matchOf({
    match_mode: match_mode ?? 'three_way',
    tax_display_mode,
    lines,
    unlined: amounts.rows.filter(({ tax_category }) => !categories.has(tax_category)),
    order: { tax_display_mode: order.tax_display_mode, lines: ordered },
    accepted: unitsOf(answered, 'delivery_note', ordered),
    before: unitsOf(answered, 'invoice', ordered),
    tolerance: settings.match_tolerance,
  });
}

type Priceable = Pick<StoredLine, 'quantity' | 'unit_price' | 'tax_rate'>;

/** The line where it is an item; text has neither quantity nor price. */
function pricedLine<Line extends Priceable>(line: Line) {
  const { quantity, unit_price, tax_rate } = line;
  if (quantity === null || unit_price === null || tax_rate === null) return [];
  return [{ ...line, quantity, unit_price, tax_rate }];
}

type Answered = PairedBy & { kind: 'invoice' | 'delivery_note'; document_id: string; units: string };

const ANSWERED = `
  SELECT document.kind, line.document_id, line.purchase_order_line_id, line.item_code, line.description, line.unit,
         CASE document.kind WHEN 'invoice' THEN line.quantity ELSE coalesce(line.accepted_quantity, 0) END AS units
    FROM received_documents AS document
    JOIN received_lines AS line ON line.organization_id = $1 AND line.document_id = document.id
   WHERE document.organization_id = $1 AND document.purchase_order_id = $2 AND document.id <> $3 AND line.type = 'item'
     AND (document.kind = 'invoice' AND document.status IN ('approved', 'partially_paid', 'paid')
       OR document.kind = 'delivery_note' AND document.status = 'confirmed')
   ORDER BY line.document_id, line.position`;

/** The lines of what else was decided on an order: as many documents as it took to deliver and to charge it. */
function answeredOf(
  { connection, organization_id }: Reader,
  purchase_order_id: string,
  except: string,
): Promise<Answered[]> {
  return connection.query<Answered>(ANSWERED, [organization_id, purchase_order_id, except]);
}

/** Units by line of the order; each document's lines find theirs by themselves. */
function unitsOf(
  answered: readonly Answered[],
  kind: Answered['kind'],
  order: readonly OrderLine[],
): MatchInput['accepted'] {
  const units = new Map<string, ReturnType<typeof fraction>>();
  const documents = Map.groupBy(
    answered.filter((line) => line.kind === kind),
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
