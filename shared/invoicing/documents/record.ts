import { z } from 'zod';
import { refusesBy, uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { type EventType, type Fact, factsOf } from '../../kernel/fact.ts';
import { unknownReference } from '../../kernel/failure.ts';
import type { Metadata } from '../../kernel/own-keys.ts';
import { type RecordKind, recordKind } from '../../kernel/record-kind.ts';
import { computedIn } from '../../kernel/schema.ts';
import type { Table } from '../../kernel/statement.ts';
import type { BankAccount } from '../settings/bank-account.ts';
import type { TaxDisplayMode } from '../tax/breakdown.ts';
import type { TaxRounding } from '../tax/rounding.ts';
import type { Totals } from '../tax/totals.ts';
import type { WithholdingMode } from '../tax/withholding.ts';
import { type CompanySnapshot, commonFields, readOnlyFields } from './fields.ts';
import { type DocumentKind, documentKinds, kinds } from './kinds.ts';
import type { DocumentLine } from './line.ts';
import type { Related } from './related.ts';

/**
 * A document as the service works with it: its row, with money as `bigint` yen, its lines in order, and what stands in
 * other tables. Days are YYYY-MM-DD, instants ISO 8601. Either `transaction_date` or the two of the period are there.
 */
export type DocumentRecord = Totals &
  Related & {
    kind: DocumentKind;
    id: string;
    number: string | null;
    status: string;
    company_id: string;
    contact_id: string | null;
    honorific: '御中' | '様' | '';
    company_snapshot: CompanySnapshot | null;
    subject: string | null;
    issue_date: string;
    transaction_date: string | null;
    transaction_from: string | null;
    transaction_to: string | null;
    due_date: string | null;
    issuer_name: string | null;
    issuer_detail: string | null;
    issuer_registration_number: string | null;
    bank_account: BankAccount | null;
    memo: string | null;
    internal_memo: string | null;
    delivery_date: string | null;
    delivery_place: string | null;
    payment_terms_text: string | null;
    /** Null for kinds that always show them. */
    show_prices: boolean | null;
    tax_display_mode: TaxDisplayMode;
    tax_rounding: TaxRounding;
    withholding_mode: WithholdingMode;
    currency: 'JPY';
    external_id: string | null;
    metadata: Metadata;
    amount_paid: bigint;
    credited: bigint;
    balance: bigint;
    sent_at: string | null;
    approved_at: string | null;
    approved_by: string | null;
    accepted_at: string | null;
    rejected_at: string | null;
    reject_reason: string | null;
    delivered_at: string | null;
    paid_on: string | null;
    paid_at: string | null;
    cancelled_at: string | null;
    cancel_reason: string | null;
    revises_id: string | null;
    invoice_id: string | null;
    reason: string | null;
    created_by: string | null;
    created_at: string;
    updated_at: string;
    lines: DocumentLine[];
  };

/** The table; beside the API's fields it holds what search is made from. */
export class DocumentModel extends TenantModel {
  static override tableName = 'invoicing_documents';
  static override jsonAttributes = ['company_snapshot', 'bank_account', 'tax_breakdown', 'metadata'];
}

export const LINES: Table = { tableName: 'invoicing_lines' };

export const LINKS: Table = { tableName: 'invoicing_links' };

/** By kind, what documents are looked up by. */
export const documentRecordKinds = Object.fromEntries(
  documentKinds.map((kind) => [
    kind,
    recordKind({
      table: DocumentModel.tableName,
      prefix: kinds[kind].prefix,
      keys: { number: { schema: commonFields.number.unwrap() } },
    }),
  ]),
) as Record<DocumentKind, RecordKind>;

type Facts = ReturnType<typeof factsOf>;

/** By kind, what can happen to a document. Invoices have events; the others stand in the audit log alone. */
export const documentFacts = Object.fromEntries(
  documentKinds.map((kind) => [
    kind,
    factsOf({
      domain: 'invoicing',
      entity_type: kind,
      computed: computedIn(z.object(readOnlyFields)),
      largest: 'line_items',
      ...(kind === 'invoice' && {
        events: { created: 'invoice.created', updated: 'invoice.updated', deleted: 'invoice.deleted' },
      }),
    }),
  ]),
) as Record<DocumentKind, Facts>;

/** A change of an invoice that has a name of its own, for example `invoice.approved`. */
export function invoiceFact(event: EventType): Fact {
  return { ...documentFacts.invoice.updated, event };
}

uniqueKey('invoicing_documents_number_once', {
  table: DocumentModel.tableName,
  read_by: 'invoicing:read',
  columns: ['kind', 'number'],
  path: '/number',
  message: {
    en: 'Another document of this kind has this number',
    ja: 'この番号は同じ種類のほかの書類が使っています',
  },
});
uniqueKey('invoicing_documents_external_id_once', {
  table: DocumentModel.tableName,
  read_by: 'invoicing:read',
  columns: ['kind', 'external_id'],
  path: '/external_id',
  message: {
    en: 'Another document of this kind has this external_id',
    ja: 'この external_id は同じ種類のほかの書類が使っています',
  },
});
refusesBy('invoicing_documents_organization_id_company_id_fkey', () =>
  unknownReference('/company_id', { en: 'The company', ja: '取引先' }),
);
refusesBy('invoicing_documents_organization_id_contact_id_fkey', () =>
  unknownReference('/contact_id', { en: 'The contact', ja: '担当者' }),
);
