import { z } from 'zod';
import { checkDates, MOST_LINES } from '../../invoicing/documents/shape.ts';
import { says } from '../../kernel/language.ts';
import { ownKeysInput } from '../../kernel/own-keys.ts';
import { id } from '../../kernel/schema.ts';
import { StatedRow, viaOfCallers, writtenFields } from './fields.ts';
import { kinds, type ReceivedKind } from './kinds.ts';
import { ReceivedLineInput, ReceivedLinePatch } from './line.ts';

const { bank_account, match_mode, purchase_order_id, due_date, ...ofAll } = writtenFields;

const DUE: Record<ReceivedKind, string> = {
  invoice:
    "The day to pay by; unless said it follows from the company's payment terms, else from the settings.",
  quotation: 'The last day of validity.',
  purchase_order: 'The day by which it is wanted.',
  delivery_note: '',
};

/** The fields that callers write on a kind and that a change takes too. */
function fieldsOf(kind: ReceivedKind) {
  const { has_due_date, answers_order } = kinds[kind];
  return {
    ...ofAll,
    ...(has_due_date && { due_date: due_date.describe(DUE[kind]) }),
    ...(answers_order && { purchase_order_id }),
    ...(kind === 'invoice' && { bank_account, match_mode }),
    stated_breakdown: z
      .array(StatedRow.partial({ net: true, tax: true, gross: true, transaction_date: true }))
      .max(MOST_STATED)
      .nullable()
      .describe(
        'The sums as printed: one row for a category and date, with gross or net, two of the three, or all.',
      ),
    qualified: z
      .boolean()
      .nullable()
      .refine((value) => value !== true, {
        params: { code: 'not_allowed' },
        error: says({
          en: 'can be set to false alone; it is true by the registration number',
          ja: 'に指定できるのは false だけです。true は登録番号から判定されます',
        }),
      })
      .describe('false: it is no qualified invoice, whatever number it bears. null: computed again.'),
    ...ownKeysInput,
  };
}

/** Rows that are printed: a category for each day of a long period. */
const MOST_STATED = 1_000;

const allowDuplicate = z
  .boolean()
  .describe(
    'Takes what another document of the kind has already, the number or a file; `duplicate_of` names it.',
  )
  .optional();

type AnyFields = ReturnType<typeof fieldsOf> & {
  due_date: typeof due_date;
  purchase_order_id: typeof purchase_order_id;
  bank_account: typeof bank_account;
  match_mode: typeof match_mode;
};

/** The fields that callers write on some kind, each of which may be left out; each kind takes its own. */
type Sent = Partial<z.output<z.ZodObject<AnyFields>>>;

/** What a new document of any kind is made from, beside its files. */
export type ReceivedInput = Sent & {
  line_items?: ReceivedLineInput[];
  received_via?: (typeof viaOfCallers)[number];
  allow_duplicate?: boolean;
  cloud_file_id?: string;
};

/** What a change of a document may hold. */
export type ReceivedPatch = Sent & { line_items?: ReceivedLinePatch[]; allow_duplicate?: boolean };

const example = {
  number: '2026-118',
  company_id: 'comp_01kaj2n5w5fq8b4m0g3v7x9rtc',
  registration_number: 'T7000012050002',
  issue_date: '2026-04-30',
  line_items: [{ description: 'コーヒー豆 1kg', quantity: '2', unit_price: '1200', tax_category: 'reduced' }],
};

function inputFieldsOf<Kind extends ReceivedKind>(kind: Kind) {
  return {
    ...z.strictObject(fieldsOf(kind)).partial().shape,
    line_items: z.array(ReceivedLineInput).max(MOST_LINES).optional(),
    received_via: z
      .enum(viaOfCallers)
      .describe('How it came: `upload` with a file and `api` without, unless said.')
      .optional(),
    cloud_file_id: id('file').describe('A file of the cloud storage, which is copied.').optional(),
    allow_duplicate: allowDuplicate,
  };
}

/** The fields of a new invoice: conversions take some of them. */
export const invoiceInputFields = inputFieldsOf('invoice');

function inputOf(kind: ReceivedKind, name: string) {
  return z
    .strictObject(inputFieldsOf(kind))
    .superRefine((sent, issues) => checkDates(sent as never, issues))
    .meta({ id: `${name}Input`, examples: [example] }) as unknown as z.ZodType<ReceivedInput>;
}

function patchOf(kind: ReceivedKind, name: string) {
  const { company_id, ...changes } = example;
  return z
    .strictObject({
      ...z.strictObject(fieldsOf(kind)).partial().shape,
      line_items: z.array(ReceivedLinePatch).max(MOST_LINES).optional(),
      allow_duplicate: allowDuplicate,
    })
    .superRefine((sent, issues) => checkDates(sent as never, issues))
    .meta({ id: `${name}Patch`, examples: [changes] }) as unknown as z.ZodType<ReceivedPatch>;
}

/** By kind, what a new document is made from; only fields that the kind has are known, and each may be left out. */
export const receivedInputs = {
  invoice: inputOf('invoice', 'ReceivedInvoice'),
  quotation: inputOf('quotation', 'ReceivedQuotation'),
  purchase_order: inputOf('purchase_order', 'ReceivedPurchaseOrder'),
  delivery_note: inputOf('delivery_note', 'ReceivedDeliveryNote'),
};

/** By kind, what a change may hold: only the fields sent change, `null` clears an optional one. */
export const receivedPatches = {
  invoice: patchOf('invoice', 'ReceivedInvoice'),
  quotation: patchOf('quotation', 'ReceivedQuotation'),
  purchase_order: patchOf('purchase_order', 'ReceivedPurchaseOrder'),
  delivery_note: patchOf('delivery_note', 'ReceivedDeliveryNote'),
};
