/** The day by which a received document is kept, as it says itself. */
const RECEIVED = 'coalesce(retention_date, received_on)';

/** Kinds of record that files can belong to, and where their records are. */
export const linkTargets = {
  company: { table: 'crm_companies' },
  contact: { table: 'crm_contacts' },
  deal: { table: 'crm_deals' },
  quotation: { table: 'invoicing_documents', kind: 'quotation' },
  invoice: { table: 'invoicing_documents', kind: 'invoice' },
  delivery_note: { table: 'invoicing_documents', kind: 'delivery_note' },
  purchase_order: { table: 'invoicing_documents', kind: 'purchase_order' },
  credit_note: { table: 'invoicing_documents', kind: 'credit_note' },
  received_invoice: { table: 'received_documents', kind: 'invoice', holds_by: RECEIVED },
  received_quotation: { table: 'received_documents', kind: 'quotation', holds_by: RECEIVED },
  received_purchase_order: { table: 'received_documents', kind: 'purchase_order', holds_by: RECEIVED },
  received_delivery_note: { table: 'received_documents', kind: 'delivery_note', holds_by: RECEIVED },
  sign_document: {
    table: 'sign_documents',
    is_there: 'erased_at IS NULL',
    seen_by: `visibility = 'organization' OR created_by = $3 OR viewers @> to_jsonb($3::text)`,
    holds_until: 'retention_until',
  },
  journal: { table: 'accounting_journals', holds_by: 'date' },
  accounting_document: { table: 'accounting_documents' },
} as const satisfies Record<string, LinkTarget>;

/**
 * `kind`: which rows of the table; `is_there`: which of them there are for everybody; `seen_by`: which a person `$3` sees who
 * does not see all; `holds_by`: the day of the record by which the law says how long its files are kept; `holds_until`: the last
 * of these days, null for a record that holds nothing yet.
 */
export type LinkTarget = {
  table: string;
  kind?: string;
  is_there?: string;
  seen_by?: string;
  holds_by?: string;
  holds_until?: string;
};

export type LinkType = keyof typeof linkTargets;

export const linkTypes = Object.keys(linkTargets) as [LinkType, ...LinkType[]];

/** Records that a file may belong to. */
export const MOST_LINKS = 50;
