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
  received_invoice: { table: 'received_documents', kind: 'invoice', holds_by: 'received_on' },
  received_quotation: { table: 'received_documents', kind: 'quotation', holds_by: 'received_on' },
  received_purchase_order: { table: 'received_documents', kind: 'purchase_order', holds_by: 'received_on' },
  received_delivery_note: { table: 'received_documents', kind: 'delivery_note', holds_by: 'received_on' },
  journal: { table: 'accounting_journals', holds_by: 'date' },
  accounting_document: { table: 'accounting_documents' },
} as const satisfies Record<string, LinkTarget>;

/** `kind`: which rows of the table; `holds_by`: the day of the record by which the law says how long its files are kept. */
export type LinkTarget = { table: string; kind?: string; holds_by?: string };

export type LinkType = keyof typeof linkTargets;

export const linkTypes = Object.keys(linkTargets) as [LinkType, ...LinkType[]];

/** Records that a file may belong to. */
export const MOST_LINKS = 50;
