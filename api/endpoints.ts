import { access } from './access/endpoints.ts';
import { platformAuditLogs } from './audit-logs.ts';
import { changelog } from './changelog.ts';
import { activities } from './crm/activities.ts';
import { crmAuditLogs } from './crm/audit-logs.ts';
import { board } from './crm/board.ts';
import { companies } from './crm/companies.ts';
import { contacts } from './crm/contacts.ts';
import { customFields } from './crm/custom-fields.ts';
import { deals } from './crm/deals.ts';
import { imports as crmImports } from './crm/imports.ts';
import { merges } from './crm/merge.ts';
import { pipelines } from './crm/pipelines.ts';
import { search } from './crm/search.ts';
import { tagAssignments } from './crm/tag-assignments.ts';
import { tags } from './crm/tags.ts';
import { timeline } from './crm/timeline.ts';
import { events } from './events.ts';
import type { Endpoint } from './http/endpoint.ts';
import { invoicingAuditLogs } from './invoicing/audit-logs.ts';
import { creditNotes } from './invoicing/credit-notes.ts';
import { dashboard } from './invoicing/dashboard.ts';
import { deliveryNotes } from './invoicing/delivery-notes.ts';
import { documentEmails } from './invoicing/emails.ts';
import { invoices } from './invoicing/invoices.ts';
import { payments } from './invoicing/payments.ts';
import { pdfs } from './invoicing/pdfs.ts';
import { purchaseOrders } from './invoicing/purchase-orders.ts';
import { quotations } from './invoicing/quotations.ts';
import { invoiceSettings } from './invoicing/settings.ts';
import { jobs } from './jobs.ts';
import { mailAuditLogs } from './mail/audit-logs.ts';
import { mailContacts } from './mail/contacts.ts';
import { mailImports } from './mail/imports.ts';
import { mailLists } from './mail/lists.ts';
import { suppressions } from './mail/suppressions.ts';
import { receivedInvoices } from './received/invoices.ts';

/** Every endpoint of the API. Routes, the OpenAPI text, the reference and the contract tests follow from this list. */
export const endpoints: readonly Endpoint[] = [
  ...access,
  ...companies,
  ...contacts,
  ...pipelines,
  ...board,
  ...deals,
  ...activities,
  ...timeline,
  ...tags,
  ...tagAssignments,
  ...customFields,
  ...merges,
  ...search,
  ...crmImports,
  ...crmAuditLogs,
  ...mailContacts,
  ...mailImports,
  ...mailLists,
  ...suppressions,
  ...mailAuditLogs,
  ...quotations,
  ...dashboard,
  ...invoicingAuditLogs,
  ...invoices,
  ...payments,
  ...creditNotes,
  ...deliveryNotes,
  ...purchaseOrders,
  ...pdfs,
  ...documentEmails,
  ...invoiceSettings,
  ...receivedInvoices,
  ...events,
  ...jobs,
  ...platformAuditLogs,
  ...changelog,
];
