import { z } from 'zod';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { addFault, id, text } from '../../kernel/schema.ts';
import { exampleDocument } from './example.ts';
import { commonFields, readOnlyFields } from './fields.ts';
import { type DocumentKind, kinds, type WrittenKind } from './kinds.ts';
import { LineInput, LineItem, LinePatch } from './line.ts';

/** Lines that a document may have. */
export const MOST_LINES = 1_000;

/** The fields that callers write and every kind has. */
const ofAll = [
  'number',
  'company_id',
  'contact_id',
  'honorific',
  'subject',
  'issue_date',
  'transaction_date',
  'transaction_period',
  'issuer_name',
  'issuer_detail',
  'bank_account',
  'memo',
  'internal_memo',
  'tax_display_mode',
  'tax_rounding',
  'withholding_mode',
  'currency',
] as const;

type Written = keyof typeof commonFields;

/** The fields that callers write on a document of this kind. */
export function writtenFields(kind: DocumentKind): Written[] {
  const { has_due_date, has_delivery, has_show_prices } = kinds[kind];
  return [
    ...ofAll,
    ...(has_due_date ? (['due_date'] as const) : []),
    ...(has_delivery ? (['delivery_date', 'delivery_place', 'payment_terms_text'] as const) : []),
    ...(has_show_prices ? (['show_prices'] as const) : []),
  ];
}

const { number, ...shownByAll } = commonFields;
const { totals, ...follows } = readOnlyFields;

/** One shape for all kinds: what a kind does not have is null there. */
function schemaOf<Kind extends DocumentKind>(kind: Kind) {
  const { prefix, object, statuses } = kinds[kind];
  return z.strictObject({
    id: id(prefix),
    object: z.literal(object),
    number,
    status: z.enum(statuses as readonly [string, ...string[]]),
    ...shownByAll,
    due_date: shownByAll.due_date.describe(
      'Quotations: the last day of validity. Invoices: the day to pay by.',
    ),
    show_prices: shownByAll.show_prices.nullable(),
    ...ownKeys,
    line_items: z.array(LineItem),
    totals,
    ...follows,
  });
}

/** A quotation, as the API shows one. */
export const Quotation = schemaOf('quotation').meta({
  id: 'Quotation',
  examples: [exampleDocument('quotation', 'sent')],
});
/** An invoice, as the API shows one. */
export const Invoice = schemaOf('invoice').meta({
  id: 'Invoice',
  examples: [exampleDocument('invoice', 'sent')],
});
/** A delivery note, as the API shows one. */
const DeliveryNote = schemaOf('delivery_note').meta({
  id: 'DeliveryNote',
  examples: [exampleDocument('delivery_note', 'delivered')],
});
/** A purchase order, as the API shows one. */
const PurchaseOrder = schemaOf('purchase_order').meta({
  id: 'PurchaseOrder',
  examples: [exampleDocument('purchase_order', 'sent')],
});
/** A credit note, as the API shows one: its amounts are positive and mean a reduction. */
export const CreditNote = schemaOf('credit_note')
  .extend({
    invoice_id: id('inv').describe('The invoice that it takes back from.'),
    reason: text(1000).meta({ examples: ['返品のため'] }),
  })
  .meta({
    id: 'CreditNote',
    examples: [
      {
        ...exampleDocument('credit_note', 'issued'),
        invoice_id: 'inv_01kaj2n5w5fq8b4m0g3v7x9rtc',
        reason: '返品のため',
      },
    ],
  });

/** A document of any kind, as the API shows one; credit notes also name their invoice and reason. */
export type Document = Omit<z.output<typeof Quotation>, 'object' | 'id'> & {
  id: string;
  object: (typeof kinds)[DocumentKind]['object'];
  invoice_id?: string;
  reason?: string;
};

/** By kind, a document as the API shows one. */
export const documentSchemas = {
  quotation: Quotation,
  invoice: Invoice,
  delivery_note: DeliveryNote,
  purchase_order: PurchaseOrder,
  credit_note: CreditNote,
};

function withoutLines(name: string, whole: z.ZodType) {
  const [example] = whole.meta()!.examples as [Record<string, unknown>];
  const { line_items, ...rest } = example;
  return { id: name, examples: [rest] };
}

/** By kind, a document as lists show it: without its lines. */
export const summarySchemas = {
  quotation: Quotation.omit({ line_items: true }).meta(withoutLines('QuotationSummary', Quotation)),
  invoice: Invoice.omit({ line_items: true }).meta(withoutLines('InvoiceSummary', Invoice)),
  delivery_note: DeliveryNote.omit({ line_items: true }).meta(
    withoutLines('DeliveryNoteSummary', DeliveryNote),
  ),
  purchase_order: PurchaseOrder.omit({ line_items: true }).meta(
    withoutLines('PurchaseOrderSummary', PurchaseOrder),
  ),
  credit_note: CreditNote.omit({ line_items: true }).meta(withoutLines('CreditNoteSummary', CreditNote)),
};

function previewOf(kind: WrittenKind, name: string) {
  const draft = exampleDocument(kind, 'draft');
  const line_items = (draft.line_items as object[]).map((line) => ({ ...line, id: null }));
  return schemaOf(kind)
    .extend({ id: z.null(), line_items: z.array(LineItem.extend({ id: z.null() })) })
    .meta({ id: `${name}Preview`, examples: [{ ...draft, id: null, line_items }] });
}

/** By kind, a document that was not stored: without IDs. */
export const previewSchemas = {
  quotation: previewOf('quotation', 'Quotation'),
  invoice: previewOf('invoice', 'Invoice'),
  delivery_note: previewOf('delivery_note', 'DeliveryNote'),
  purchase_order: previewOf('purchase_order', 'PurchaseOrder'),
};

/** What a document's `line_items` are sent as. */
export const lineInputs = () => z.array(LineInput).min(1).max(MOST_LINES);
const linePatches = () => z.array(LinePatch).min(1).max(MOST_LINES);

type SentFields = z.output<ReturnType<typeof sentOfAll>>;

/** Every field that callers write on some kind. */
function sentOfAll() {
  return z.strictObject({ ...commonFields, ...ownKeysInput }).partial();
}

/** The fields that callers write on a kind, each of which may be left out. */
export function sentOf(kind: WrittenKind) {
  const chosen = Object.fromEntries(writtenFields(kind).map((field) => [field, commonFields[field]]));
  return z.strictObject({ ...(chosen as typeof commonFields), ...ownKeysInput }).partial();
}

/** Either a day or a period says when the delivery was. */
export function checkDates(sent: SentFields, issues: z.core.$RefinementCtx): void {
  if (!sent.transaction_date || !sent.transaction_period) return;
  addFault(issues, 'transaction_period', 'mutually_exclusive', {
    en: 'must not be sent together with transaction_date',
    ja: 'は transaction_date と同時に指定できません',
  });
}

/** What a new document of any kind is made from; each kind takes its own fields. */
export type DocumentInput = SentFields & { company_id: string; issue_date: string; line_items: LineInput[] };

/** What a change of a document may hold. */
export type DocumentPatch = SentFields & { line_items?: LinePatch[] };

/** A body that a kind takes. */
function exampleOf(kind: WrittenKind) {
  return {
    company_id: 'comp_01kaj2n5w5fq8b4m0g3v7x9rtc',
    issue_date: '2026-04-01',
    subject: '4月分コーヒー豆',
    ...(kinds[kind].has_due_date && { due_date: '2026-05-31' }),
    ...(kinds[kind].has_delivery && { delivery_date: '2026-04-20', delivery_place: '千代田倉庫' }),
    line_items: [
      {
        description: 'コーヒー豆 1kg',
        quantity: '2.5',
        unit: '袋',
        unit_price: '1200',
        tax_category: 'reduced',
      },
      { type: 'text', description: '送料は無料です' },
    ],
  };
}

function inputOf(kind: WrittenKind, name: string) {
  const fields = sentOf(kind).required({ company_id: true, issue_date: true }).shape;
  return z
    .strictObject({ ...fields, line_items: lineInputs() })
    .superRefine(checkDates)
    .meta({ id: `${name}Input`, examples: [exampleOf(kind)] }) as unknown as z.ZodType<DocumentInput>;
}

function patchOf(kind: WrittenKind, name: string) {
  const { number, ...fields } = sentOf(kind).shape;
  const { company_id, issue_date, ...changes } = exampleOf(kind);
  return z
    .strictObject({
      ...fields,
      number: commonFields.number.unwrap().optional().describe('A number once given can change, not go.'),
      line_items: linePatches().optional(),
    })
    .superRefine(checkDates)
    .meta({ id: `${name}Patch`, examples: [changes] }) as unknown as z.ZodType<DocumentPatch>;
}

/** By kind, what a new document is made from; only fields that the kind has are known. */
export const inputSchemas = {
  quotation: inputOf('quotation', 'Quotation'),
  invoice: inputOf('invoice', 'Invoice'),
  delivery_note: inputOf('delivery_note', 'DeliveryNote'),
  purchase_order: inputOf('purchase_order', 'PurchaseOrder'),
};

/** By kind, what a change may hold: only the fields sent change, `null` clears an optional one. */
export const patchSchemas = {
  quotation: patchOf('quotation', 'Quotation'),
  invoice: patchOf('invoice', 'Invoice'),
  delivery_note: patchOf('delivery_note', 'DeliveryNote'),
  purchase_order: patchOf('purchase_order', 'PurchaseOrder'),
};
