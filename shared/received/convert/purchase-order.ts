import { z } from 'zod';
import { announceConversion } from '../../invoicing/convert/invoice.ts';
import { contextOf } from '../../invoicing/documents/context.ts';
import { lineInput } from '../../invoicing/documents/copy.ts';
import type { DocumentRecord } from '../../invoicing/documents/record.ts';
import { checkDates } from '../../invoicing/documents/shape.ts';
import { lockFor } from '../../invoicing/transitions/lock-for.ts';
import type { Work } from '../../kernel/work.ts';
import { createReceived } from '../documents/create.ts';
import { invoiceInputFields, type ReceivedInput } from '../documents/input.ts';
import type { ReceivedDocument } from '../documents/record.ts';

const { company_id, purchase_order_id, received_via, cloud_file_id, ...fields } = invoiceInputFields;

/** How a purchase order becomes a received invoice: what stands in the place of what would be copied. */
export const PurchaseOrderConversion = z
  .strictObject(fields)
  .superRefine((sent, issues) => checkDates(sent as never, issues))
  .meta({
    id: 'PurchaseOrderConversion',
    examples: [{ number: '2026-118', received_on: '2026-04-30', subject: '4月分コーヒー豆' }],
  }) as unknown as z.ZodType<ReceivedInput>;

/**
 * Makes the received invoice of an accepted purchase order, once, pending. Its account and its registration number are for
 * the supplier's paper to say. Errors: those of the table of transitions, and of making a received invoice.
 */
export async function convertPurchaseOrder(
  work: Work,
  id: string,
  override: ReceivedInput,
): Promise<ReceivedDocument> {
  const order = await lockFor(work, 'purchase_order', id, 'convert');
  const { today } = await contextOf(work);
  const input = { ...copied(order), issue_date: today, ...override };
  const invoice = await createReceived(work, 'invoice', input, { source: { type: 'purchase_order', id } });
  announceConversion(work, order, { kind: 'received_invoice', id: invoice.id });
  return invoice;
}

/** What the order hands on: not its dates and number, which are ours. */
function copied(order: DocumentRecord): ReceivedInput {
  const { company_id, subject, memo, internal_memo, tax_display_mode, tax_rounding, withholding_mode } =
    order;
  return {
    company_id,
    subject,
    memo,
    internal_memo,
    tax_display_mode,
    tax_rounding,
    withholding_mode,
    purchase_order_id: order.id,
    line_items: order.lines.map((line) => ({ ...lineInput(line), purchase_order_line_id: line.id })),
  };
}
