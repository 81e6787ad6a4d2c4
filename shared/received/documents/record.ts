import { z } from 'zod';
import { refusesBy, uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { Failure, unknownReference } from '../../kernel/failure.ts';
import { ownKeys } from '../../kernel/own-keys.ts';
import { type RecordKind, recordKind } from '../../kernel/record-kind.ts';
import { computedIn, id, timestamp } from '../../kernel/schema.ts';
import type { Table } from '../../kernel/statement.ts';
import type { FileRow } from '../files/record.ts';
import { invoiceFields, readOnlyFields, writtenFields } from './fields.ts';
import { kinds, type ReceivedKind, receivedKinds } from './kinds.ts';
import { ReceivedLine, ReceivedNoteLine, type StoredLine } from './line.ts';

const { registration_number, bank_account, match_mode, purchase_order_id, ...writtenByAll } = writtenFields;

/** What the kinds have in common as the API shows them; members of one kind alone follow. */
function schemaOf<Kind extends ReceivedKind>(kind: Kind) {
  const { prefix, object, statuses } = kinds[kind];
  return z.strictObject({
    id: id(prefix),
    object: z.literal(object),
    status: z.enum(statuses as readonly [string, ...string[]]),
    ...writtenByAll,
    registration_number: z
      .string()
      .nullable()
      .describe('As it stands on the paper; never taken from the company.')
      .meta({ examples: ['T7000012050002'] }),
    line_items: z.array(ReceivedLine),
    ...ownKeys,
    ...readOnlyFields,
    created_by: id('usr').nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  });
}

/** An invoice from a supplier, as the API shows one. */
export const ReceivedInvoice = schemaOf('invoice')
  .extend({ purchase_order_id, ...invoiceFields })
  .meta({ id: 'ReceivedInvoice' });
/** A quotation from a supplier, as the API shows one. */
const ReceivedQuotation = schemaOf('quotation').meta({ id: 'ReceivedQuotation' });
/** A purchase order of a customer, as the API shows one. */
const ReceivedPurchaseOrder = schemaOf('purchase_order').meta({ id: 'ReceivedPurchaseOrder' });
/** A delivery note of a supplier, as the API shows one. */
const ReceivedDeliveryNote = schemaOf('delivery_note')
  .extend({ purchase_order_id, line_items: z.array(ReceivedNoteLine) })
  .meta({ id: 'ReceivedDeliveryNote' });

/** By kind, a document as the API shows it. */
export const receivedSchemas = {
  invoice: ReceivedInvoice,
  quotation: ReceivedQuotation,
  purchase_order: ReceivedPurchaseOrder,
  delivery_note: ReceivedDeliveryNote,
};

/** By kind, a document as lists show it: without its lines. */
export const receivedSummaries = {
  invoice: ReceivedInvoice.omit({ line_items: true }).meta({ id: 'ReceivedInvoiceSummary' }),
  quotation: ReceivedQuotation.omit({ line_items: true }).meta({ id: 'ReceivedQuotationSummary' }),
  purchase_order: ReceivedPurchaseOrder.omit({ line_items: true }).meta({
    id: 'ReceivedPurchaseOrderSummary',
  }),
  delivery_note: ReceivedDeliveryNote.omit({ line_items: true }).meta({ id: 'ReceivedDeliveryNoteSummary' }),
};

/** A document in the list of all kinds: what every kind has. */
export const AnyReceived = z
  .strictObject({ kind: z.enum(receivedKinds) })
  .extend(ReceivedQuotation.omit({ line_items: true }).shape)
  .extend({
    id: z.string().meta({ examples: ['rinv_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
    object: z.enum(receivedKinds.map((kind) => kinds[kind].object)),
    status: z.enum([...new Set(receivedKinds.flatMap((kind) => [...kinds[kind].statuses]))]),
  })
  .meta({ id: 'ReceivedDocument' });

export type AnyReceived = z.output<typeof AnyReceived>;

/** A listed document of a kind as the list of all kinds shows it. */
export function anyReceived(listed: Omit<ShownReceived, 'line_items'>): AnyReceived {
  const kind = receivedKinds.find((each) => kinds[each].object === listed.object)!;
  const names = Object.keys(AnyReceived.shape) as (keyof AnyReceived)[];
  return Object.fromEntries(
    names.map((name) => [name, name === 'kind' ? kind : listed[name]]),
  ) as AnyReceived;
}

type InvoiceShown = z.output<typeof ReceivedInvoice>;

type OfInvoices = keyof typeof invoiceFields | 'purchase_order_id';

/** A document of any kind, as the API shows it; what its kind does not have is not there. */
export type ShownReceived = Omit<InvoiceShown, OfInvoices | 'object' | 'line_items'> &
  Partial<Pick<InvoiceShown, OfInvoices>> & {
    object: (typeof kinds)[ReceivedKind]['object'];
    line_items: (InvoiceShown['line_items'][number] & Partial<StoredLine>)[];
  };

type Kept = Omit<
  InvoiceShown,
  | 'object'
  | 'transaction_period'
  | 'line_items'
  | 'totals'
  | 'files'
  | 'available_actions'
  | 'retention_until'
  | 'is_overdue'
  | 'days_overdue'
  | 'match_mode'
>;

/**
 * A received document as the service works with it: its row, with amounts in whole yen (twelve digits at most, so exact),
 * its lines, files and payments in order, and what stands in other tables. Days are YYYY-MM-DD, instants ISO 8601. What
 * only other kinds have is null, empty or 0.
 */
export type ReceivedDocument = Kept &
  InvoiceShown['totals'] & {
    kind: ReceivedKind;
    transaction_from: string | null;
    transaction_to: string | null;
    match_mode: InvoiceShown['match_mode'] | null;
    /** False where the caller said that it is none, null where it follows from the registration number. */
    qualified_override: false | null;
    /** What of the tax is not deductible, in yen. */
    non_deductible: number;
    /** Who sent it, where documents are compared: the company, else its name folded; null where neither is known. */
    company_key: string | null;
    /** The day that decides its fiscal year and how long it is kept. */
    retention_date: string | null;
    file_count: number;
    lines: StoredLine[];
    files: FileRow[];
    /** An approved invoice of the order that a delivery note belongs to; null for the other kinds. */
    billed_by: string | null;
    /** What of it counts as a duplicate and is claimed by it, as `claims.ts` names it. */
    claims: string[];
  };

/** The table; beside the API's fields it holds what search is made from. */
export class ReceivedModel extends TenantModel {
  static override tableName = 'received_documents';
  static override jsonAttributes = [
    'stated_breakdown',
    'bank_account',
    'tax_breakdown',
    'tax_differences',
    'input_tax',
    'match',
    'warnings',
    'missing',
    'metadata',
  ];
}

export const RECEIVED_LINES: Table = { tableName: 'received_lines' };

const lookedUpBy = (prefix: RecordKind['prefix']) =>
  recordKind({
    table: ReceivedModel.tableName,
    prefix,
    keys: { number: { schema: writtenFields.number.unwrap() } },
  });

/** By kind, what documents are looked up by. */
export const receivedRecordKinds = Object.fromEntries(
  receivedKinds.map((kind) => [kind, lookedUpBy(kinds[kind].prefix)]),
) as Record<ReceivedKind, RecordKind>;

/** What those of all kinds together are: either key may find one of each. */
export const anyReceivedKind = lookedUpBy(kinds.invoice.prefix);

type Facts = ReturnType<typeof factsOf>;

/** By kind, what can happen to a document. None has an event. */
export const receivedFacts = Object.fromEntries(
  receivedKinds.map((kind) => [
    kind,
    factsOf({
      domain: 'received',
      entity_type: kinds[kind].name,
      computed: computedIn(receivedSchemas[kind]),
      largest: 'line_items',
    }),
  ]),
) as Record<ReceivedKind, Facts>;

uniqueKey('received_documents_external_id_once', {
  table: ReceivedModel.tableName,
  read_by: 'received:read',
  columns: ['kind', 'external_id'],
  path: '/external_id',
  message: {
    en: 'Another document of this kind has this external_id',
    ja: 'この external_id は同じ種類のほかの書類が使っています',
  },
});
refusesBy(
  'received_lines_account_fkey',
  () =>
    new Failure('in_use', {
      detail: {
        en: 'Lines of received documents name the account; set is_active to false, and it takes no new ones',
        ja: '受取書類の明細で使われています。今後使わない場合は is_active を false にしてください',
      },
    }),
);
refusesBy('received_documents_organization_id_company_id_fkey', () =>
  unknownReference('/company_id', { en: 'The company', ja: '取引先' }),
);
